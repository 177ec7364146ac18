import { words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import type { Pet } from "./pet-list.ts";

interface PetRowProps {
  pet: Pet;
  /** Whether the tab key reaches this row. The arrow keys reach the others. */
  isStop: boolean;
}

export function PetRow({ pet, isStop }: PetRowProps) {
  return (
    <Link class="pet" to={{ pet: pet.id }} tabIndex={isStop ? 0 : -1}>
      <Tile pet={pet} />
      <PetName class="pet-name" of={pet} />
      <span class="pet-id">#{pet.id}</span>
      <span class="pet-category">{words.value.list.category(pet.categoryId)}</span>
      <StatusPill status={pet.status} />
    </Link>
  );
}

/** The name, or that there is none to see: it may consist of spaces. */
export function PetName({ of: { name }, ...rest }: { of: Pick<Pet, "name">; class?: string }) {
  const isVisible = /[^\p{C}\p{Z}]/u.test(name);
  return <bdi {...rest}>{isVisible ? name : words.value.pet.noName}</bdi>;
}

/** How many colours tiles have. */
const tints = 8;

/** The first letter of the name, in a colour of the category. */
export function Tile({ pet: { name, categoryId } }: { pet: Pet }) {
  // Not a mark or a control character, which would change how the text beside it is drawn.
  const [letter = "·"] = /\p{L}|\p{N}|\p{Extended_Pictographic}/u.exec(name) ?? [];
  const tint = ((BigInt(categoryId) % BigInt(tints)) + BigInt(tints)) % BigInt(tints);
  return (
    <span class={`tile tint-${tint}`} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** Word, colour and shape, so that it needs no colour to be understood. */
export function StatusPill({ status }: { status: Pet["status"] }) {
  return <span class={`status status-${status}`}>{words.value.statuses[status]}</span>;
}
