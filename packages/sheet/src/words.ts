import { simplify } from "@petstore/contract/categories";
import type { ChoiceName, FieldName, petStatuses } from "@petstore/contract/fields";

/** What a column of a sheet can be. */
export type Field = "id" | FieldName;

/**
 * The last column of our files of rejected rows, which tells that cells may have an apostrophe of
 * ours.
 */
export const problemColumn = "Petstore problem";

export function isProblemColumn(name: string): boolean {
  return simplify(name) === simplify(problemColumn);
}

type Status = (typeof petStatuses)[number];

/** What a value means for a person who wants no animals of its rows. */
export const skip = "skip";

/** Words by what they mean. A text has a line for each language; signs in words do not matter. */
function table<Key extends string>(words: Readonly<Record<Key, string>>): ReadonlyMap<string, Key> {
  const keys = Object.keys(words) as Key[];
  return new Map(
    keys.flatMap((key) =>
      words[key].split(/[,\n]/).flatMap((word) => (word.trim() ? [[simplify(word), key]] : [])),
    ),
  );
}

/**
 * The names of columns. Nobody else has one for our ids: `ID` is a column of many programs, whose
 * ids mean other animals.
 */
const columnWords = table<Field>({
  id: "petstore id",
  name: `
    name, names, animal, animal name, animalname, pet name, pet, dog name, cat name
    tiername, tier, rufname
    nom, nom de l'animal
    nombre, nombre animal, nome
    naam, navn, namn, nimi
    имя, кличка, животное
    isim, hayvan adı, ad
    imię
  `,
  categoryId: `
    category id, categoryid, category, categories
    species, speciesname, species name, kind, animal kind, animalkind
    animal type, animaltype, type, type of animal, pet type, animalspecies, animal species
    kategorie, tierart, art, gattung
    espèce, catégorie
    espece, especie, categoría, tipo, tipo de animal
    categoria, specie
    diersoort, soort
    вид, вид животного, категория, отряд
    tür, türü, hayvan türü, kategori
    gatunek
    djurart, dyreart
    kindcd, kindfullnm, upkindnm, 축종
  `,
  status: `
    status, availability, adoption status, adoptionstatus, animal status, disposition
    outcome type, outcometype, outcome, movement type, movementtype, record type, kennel status
    active movement type name, activemovementtypename, process state, processstate
    verfügbarkeit, vermittlungsstatus, zustand
    estado, estatus
    statut, état
    stato
    статус
    durum, durumu
    stan
    상태, 입양상태
  `,
  // What other programs and registers call their own number of an animal. Not the number of its
  // chip, of its cage or of its visit.
  reference: `
    reference, reference number, code, id, id number, your number, registration number
    animal id, animalid, animal number, animal no, animal code, animalcode, pet id, petid
    internal id, external id, externalid, record id, recordid
    shelter code, sheltercode, shelter id
    tier id, tier nr, tiernr, tiernummer, ihre nummer, registernummer, aktenzeichen
    numéro, numéro d'identification, identifiant, référence
    id animal, id del animal, número, número de animal
    codice, numero animale
    diernummer
    номер, номер животного
    hayvan no
    numer, numer zwierzęcia
    管理番号, 動物番号, 番号, 登録番号
    動物編號, 收容編號, 流水編號, 编号
    공고번호, 유기번호, 관리번호, noticeno, desertionno
  `,
});

/**
 * The field that a column has by its name. `Animal #` is the number of an animal, and not the
 * animal.
 */
export function fieldNamed(name: string): Field | undefined {
  return columnWords.get(simplify(name.replace(/#\s*$/, " number")));
}

/**
 * Whether the column of categories is called so, and not by the kinds of animals: people write the
 * numbers of categories into it.
 */
export function isNumberedColumn(name: string): boolean {
  return /^(?:[ck]ateg|катег)/.test(simplify(name));
}

/**
 * Words of statuses. Animals that have left the shelter without an adoption are proposed to be left
 * out. `available` has only what a program calls so, or what says that the animal can be adopted
 * now. A hold for the animal's health or for its owner, and Shelterluv's Healthy In Home, which is
 * said of adopted and of returned animals, are for a person to decide.
 *
 * Of programs: Shelterluv (help.shelterluv.com: Best Practices for Configuring Statuses; What are
 * the statuses of outcomed animals?), RescueGroups (userguide.rescuegroups.org: Managing animal
 * status), ShelterBuddy (Petfinder / Adoptapet uploading information), sheltermanager.com (its
 * source, dbupdate.py: lksmovementtype, reservationstatus), Adopt-a-Pet (the same source,
 * adoptapet.py), Austin's Animal Center Outcomes (data.austintexas.gov), and Korea's rescued
 * animals (data.go.kr 15098931 and 15016646).
 */
export const statusWords = table<Status | typeof skip>({
  available: `
    available, adoptable, in shelter, in care, ready, for adoption
    foster, fostered, in foster
    available for adoption, available in foster, available for adoption in foster
    verfügbar, zu vermitteln, frei
    disponible, en adopción
    disponibile
    beschikbaar
    свободен, доступен
    müsait, uygun
    dostępny
    입양가능
  `,
  pending: `
    pending, reserved, on hold, hold, reservation
    adoption pending, pending adoption, application pending, foster to adopt, trial adoption
    reserviert, in vermittlung
    reservado
    réservé, reserve
    in attesa
    gereserveerd
    зарезервирован
    rezerve
    zarezerwowany
    입양예정
  `,
  sold: `
    sold, adopted, adoption, rto adopt, rehomed, placed
    verkauft, vermittelt, adoptiert
    adoptado, adoptada
    adopté, adoptée
    adottato
    geadopteerd
    пристроен, отдан
    sahiplendirildi
    adoptowany
    종료(입양), 입양완료
  `,
  skip: `
    transfer, transferred, transfer out, transferred out, transport, relocate
    return to owner, returned to owner, rto, rtos, reclaimed, rescue, return to rescue
    euthanasia, euthanized, euth, died, deceased, dead, disposal
    missing, stolen, stolen / lost, escaped, lost
    released, released to wild, return to wild, return to wild habitat
    shelter neuter return, trap neuter release, tnr, community cat
    duplicate, deleted, delete
    verstorben, eingeschläfert
    fallecido
    décédé
    умер
    öldü
    종료(반환), 종료(자연사), 종료(안락사), 종료(기증), 종료(방사), 주인반환
  `,
});

/** Codes of one program, which mean something else elsewhere. */
interface Codes {
  /** The names of the columns that have them. */
  columns: readonly string[];
  /** All of them. `undefined` if it does not say what the animal is here. */
  means: Readonly<Record<string, Status | typeof skip | undefined>>;
}

const codes: readonly Codes[] = [
  // Petfinder's import. F has been found, and may be its owner's; X is adopted, or removed for
  // another reason.
  {
    columns: ["status", "animal status"],
    means: { a: "available", h: "pending", p: "pending", f: undefined, x: undefined },
  },
  // Taiwan's animals for adoption (data.moa.gov.tw: animal_status). NONE is not announced yet.
  {
    columns: ["animal_status"],
    means: { open: "available", adopted: "sold", dead: skip, none: undefined, other: undefined },
  },
  // sheltermanager.com's CSV (its manual: CSV file import fields). 0, in foster 2, and at a shop 8
  // say nothing of an adoption.
  {
    columns: ["movementtype"],
    means: {
      0: undefined,
      1: "sold",
      2: undefined,
      3: skip,
      4: skip,
      5: skip,
      6: skip,
      7: skip,
      8: undefined,
    },
  },
];

/**
 * What the codes of a column of statuses mean. They count only by the name of the column, and if
 * all its values are codes of one program: elsewhere, F is a sex, and A may be anything.
 */
export function statusCodes(column: string, values: readonly string[]): Codes["means"] {
  const ofColumn = codes.filter(({ columns }) =>
    columns.some((name) => simplify(name) === simplify(column)),
  );
  const found = Array.from(new Set(ofColumn.length > 0 ? values : []), simplify);
  return (
    ofColumn.find(({ means }) => found.every((code) => Object.hasOwn(means, code)))?.means ?? {}
  );
}

/** The words of each choice. */
export const choiceWords: Readonly<Record<ChoiceName, ReadonlyMap<string, string>>> = {
  status: statusWords,
};

/**
 * Words of common kinds of animals. The keys are what the names of an operator's categories are
 * compared with: what spans several kinds, such as Petfinder's Scales, Fins & Other, is a kind of
 * its own.
 *
 * Of programs: the species of Petfinder and sheltermanager.com (the source of the latter,
 * dbupdate.py: species; adoptapet.py: import map), Taiwan's animal_kind, and Korea's upKindNm and
 * kindCd (as above).
 */
export const kindWords = table({
  dog: `
    dog, dogs, canine, puppy, puppies
    hund, hunde, hond, honden, hundar
    perro, perros
    chien, chiens
    cane, cani
    собака, собаки
    köpek
    pies
    狗
    개
  `,
  cat: `
    cat, cats, feline, kitten, kittens
    katze, katzen, kat, katten, katt
    gato, gatos
    chat, chats
    gatto, gatti
    кошка, кошки, кот
    kedi
    kot
    貓
    고양이
  `,
  rabbit: `
    rabbit, rabbits, bunny, bunnies
    kaninchen, konijn
    conejo, conejos
    lapin, lapins
    coniglio
    кролик
    tavşan
    królik
    兔
    토끼
  `,
  bird: `
    bird, birds, dove, owl, goose, cockatiel
    vogel, vögel
    ave, aves, pájaro
    oiseau, oiseaux
    uccello
    птица
    kuş
    ptak
  `,
  horse: `
    horse, horses, pony, ponies, donkey, equine
    pferd, pferde
    caballo
    cheval, chevaux
    cavallo
    лошадь
    at
    koń
  `,
  rodent: `
    rodent, rodents, small animal, small animals, small&furry, small and furry
    guinea pig, guinea pigs, hamster, mouse, rat, gerbil, chinchilla
    kleintier, kleintiere, nager, meerschweinchen
  `,
  reptile: `
    reptile, reptiles, turtle, tortoise, terrapin, snake, lizard
    reptil, reptilien
  `,
  fish: "fish, goldfish",
  scaly: "scales fins & other",
  livestock: `
    livestock, farm animal, farm animals, barnyard, chicken, goat, sheep, pig
    nutztier
  `,
  other: `
    other, others, other animals, wild, wildlife, exotic
    sonstige, andere
    otro, otros
    autre, autres
    altro
    其他
    기타, 기타축종
  `,
});
