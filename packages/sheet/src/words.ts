import { simplify } from "@petstore/contract/categories";
import type { ChoiceName, FieldName, petStatuses } from "@petstore/contract/fields";

/** What a column of a sheet can be. */
export type Field = "id" | FieldName;

/** The last column of our files of rejected rows, which tells that cells may have an apostrophe of ours. */
export const problemColumn = "Petstore problem";

export function isProblemColumn(name: string): boolean {
  return simplify(name) === simplify(problemColumn);
}

/** What a value means for a person who wants no animals of its rows. */
export const skip = "skip";

function table<Key extends string>(words: Readonly<Record<Key, string>>): ReadonlyMap<string, Key> {
  const keys = Object.keys(words) as Key[];
  return new Map(keys.flatMap((key) => words[key].split("|").map((word) => [simplify(word), key] as const)));
}

/** The names of columns. Nobody else has one for our ids: `ID` is a column of many programs, whose ids mean other animals. */
export const columnWords = table<Field>({
  id: "petstore id",
  name: "name|names|animal|animal name|animalname|pet name|pet|dog name|cat name|tiername|tier|rufname|nom|nom de l'animal|nombre|nombre animal|nome|naam|имя|кличка|животное|isim|hayvan adı|ad|imię|navn|namn|nimi",
  categoryId:
    "category id|categoryid|category|categories|kategorie|species|speciesname|species name|animal type|animaltype|type|kind|animalspecies|animal species|type of animal|pet type|tierart|art|gattung|espèce|espece|especie|categoría|categoria|catégorie|tipo|tipo de animal|specie|diersoort|soort|вид|вид животного|категория|отряд|tür|türü|hayvan türü|kategori|gatunek|djurart|dyreart",
  status:
    "status|availability|adoption status|adoptionstatus|animal status|outcome type|outcometype|outcome|movement type|movementtype|record type|kennel status|disposition|verfügbarkeit|vermittlungsstatus|zustand|estado|estatus|statut|état|stato|статус|durum|durumu|stan",
});

/** Words of statuses. Animals that have left the shelter without an adoption are proposed to be left out. */
export const statusWords = table<(typeof petStatuses)[number] | typeof skip>({
  available:
    "available|adoptable|in shelter|in care|ready|for adoption|foster|fostered|in foster|verfügbar|zu vermitteln|frei|disponible|en adopción|disponibile|beschikbaar|свободен|доступен|müsait|uygun|dostępny",
  pending:
    "pending|reserved|on hold|hold|adoption pending|pending adoption|application pending|foster to adopt|reserviert|in vermittlung|reservado|réservé|reserve|in attesa|gereserveerd|зарезервирован|rezerve|zarezerwowany",
  sold: "sold|verkauft|adopted|adoption|rehomed|placed|vermittelt|adoptiert|adoptado|adoptada|adopté|adoptée|adottato|geadopteerd|пристроен|отдан|sahiplendirildi|adoptowany",
  skip: "transfer|transferred|transfer out|return to owner|returned to owner|rto|rtos|reclaimed|euthanasia|euthanized|euth|died|deceased|dead|disposal|missing|stolen|escaped|lost|released|released to wild|return to wild|return to wild habitat|rescue|return to rescue|transport|shelter neuter return|trap neuter release|tnr|duplicate|community cat|verstorben|eingeschläfert|fallecido|décédé|умер|öldü",
});

/** The words of each choice. */
export const choiceWords: Readonly<Record<ChoiceName, ReadonlyMap<string, string>>> = { status: statusWords };

/** Words of common kinds of animals. The keys are what the names of an operator's categories are compared with. */
export const kindWords = table({
  dog: "dog|dogs|canine|puppy|puppies|hund|hunde|perro|perros|chien|chiens|cane|cani|hond|honden|собака|собаки|köpek|pies|hundar",
  cat: "cat|cats|feline|kitten|kittens|katze|katzen|gato|gatos|chat|chats|gatto|gatti|kat|katten|кошка|кошки|кот|kedi|kot|katt",
  rabbit: "rabbit|rabbits|bunny|bunnies|kaninchen|conejo|conejos|lapin|lapins|coniglio|konijn|кролик|tavşan|królik",
  bird: "bird|birds|vogel|vögel|ave|aves|pájaro|oiseau|oiseaux|uccello|птица|kuş|ptak",
  horse: "horse|horses|equine|pferd|pferde|caballo|cheval|chevaux|cavallo|лошадь|at|koń",
  rodent: "rodent|rodents|small animal|guinea pig|guinea pigs|hamster|kleintier|kleintiere|nager|meerschweinchen",
  reptile: "reptile|reptiles|reptil|reptilien|turtle|snake|lizard",
  livestock: "livestock|farm animal|farm animals|goat|sheep|pig|nutztier",
  other: "other|others|other animals|wild|wildlife|exotic|sonstige|andere|otro|otros|autre|autres|altro",
});
