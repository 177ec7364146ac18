import { categories } from "./sheets.ts";
import { lines, type SheetWeeks } from "./week.ts";

/**
 * The animals that are not for adoption for a while are left out, and the codes are not the only
 * numbers.
 */
export const asm: SheetWeeks = {
  name: "ASM3",
  options: [
    "--categories",
    categories,
    "--reference-column",
    "SHELTERCODE",
    "--status",
    "Not For Adoption=skip",
  ],
  weeks: [
    {
      file: "asm-2026-06-01.csv",
      text: lines(
        "ID,SHELTERCODE,ANIMALNAME,SPECIESNAME,BREEDNAME,SEXNAME,DISPLAYLOCATION,ADOPTIONSTATUS",
        '101,D2026001,Bella,Dog,Beagle,Female,"Kennel 1",Adoptable',
        '102,C2026001,Max,Cat,"Domestic Short Hair",Male,Cattery,Reserved',
        '103,C2026002,,Cat,"Domestic Short Hair",Unknown,Cattery,Adoptable',
        '104,R2026001,Coco,Rabbit,Lop,Female,"Small animals",Adoptable',
        '105,D2026002,"Duke, the 2nd",Dog,Boxer,Male,"Kennel 2",Adoptable',
        "106,D2026003,Rex,Dog,Boxer,Male,Isolation,Not For Adoption",
        "107,B2026001,Paco,Bird,Parakeet,Male,Aviary,Adoptable",
        "108,C2026003,Luna,Cat,Siamese,Female,Cattery,Adoptable",
        '109,D2026004,Rex,Dog,Collie,Male,"Kennel 3",Adoptable',
        "110,C2026004,Mia,Cat,Siamese,Female,Foster,Reserved",
      ),
      animals: [
        "B2026001,Paco,4,available",
        "C2026001,Max,2,pending",
        "C2026002,C2026002,2,available",
        "C2026003,Luna,2,available",
        "C2026004,Mia,2,pending",
        "D2026001,Bella,1,available",
        "D2026002,Duke, the 2nd,1,available",
        "D2026004,Rex,1,available",
        "R2026001,Coco,3,available",
      ],
      counts: { added: 9, changed: 0, unchanged: 0, leftOut: 1 },
      gone: 0,
    },
    {
      file: "asm-2026-06-08.csv",
      text: lines(
        "ID,SHELTERCODE,ANIMALNAME,SPECIESNAME,BREEDNAME,SEXNAME,DISPLAYLOCATION,ADOPTIONSTATUS",
        "108,C2026003,Luna,Cat,Siamese,Female,Cattery,Adoptable",
        '101,D2026001,Bella,Dog,Beagle,Female,"Kennel 1",Adopted',
        '102,C2026001,Max,Cat,"Domestic Short Hair",Male,Foster,Reserved',
        '103,C2026002,Minka,Cat,"Domestic Short Hair",Female,Cattery,Adoptable',
        '104,R2026001,Coco,Rabbit,Lop,Female,"Small animals",Reserved',
        '105,D2026002,Duke,Dog,Boxer,Male,"Kennel 2",Adoptable',
        '106,D2026003,Rex,Dog,Boxer,Male,"Kennel 4",Adoptable',
        "109,D2026004,Rex,Dog,Collie,Male,Isolation,Not For Adoption",
        '111,D2026005,,Dog,Boxer,Male,"Kennel 1",Adoptable',
        '112,C2026005,Luna,Cat,"Domestic Short Hair",Female,Cattery,Adoptable',
      ),
      animals: [
        "B2026001,Paco,4,available",
        "C2026001,Max,2,pending",
        "C2026002,Minka,2,available",
        "C2026003,Luna,2,available",
        "C2026004,Mia,2,pending",
        "C2026005,Luna,2,available",
        "D2026001,Bella,1,sold",
        "D2026002,Duke,1,available",
        "D2026003,Rex,1,available",
        "D2026004,Rex,1,available",
        "D2026005,D2026005,1,available",
        "R2026001,Coco,3,pending",
      ],
      counts: { added: 3, changed: 4, unchanged: 2, leftOut: 1 },
      gone: 2,
    },
  ],
};
