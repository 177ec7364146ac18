import type { SheetWeeks } from "./week.ts";
import { city } from "./weeks-of-a-city.ts";
import { asm } from "./weeks-of-asm.ts";
import { rescueGroups } from "./weeks-of-rescue-groups.ts";
import { shelterluv } from "./weeks-of-shelterluv.ts";

export const sheetWeeks: readonly SheetWeeks[] = [asm, shelterluv, rescueGroups, city];
