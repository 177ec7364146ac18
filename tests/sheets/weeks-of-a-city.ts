import { categories } from "./sheets.ts";
import { lines, type SheetWeeks } from "./week.ts";

/**
 * A row for each stay, the oldest first, without an outcome while the animal is there. Old rows
 * leave the log.
 */
export const city: SheetWeeks = {
  name: "a city's open data",
  options: [
    "--categories",
    categories,
    "--reference-column",
    "animal_id",
    "--repeated",
    "last",
    "--status",
    "=available",
  ],
  weeks: [
    {
      file: "animals-w14.csv",
      text: lines(
        "animal_id,animal_name,animal_type,intake_type,intake_date,outcome_type,outcome_date",
        "A801,Luna,DOG,STRAY,2026-01-03,RETURN TO OWNER,2026-01-05",
        "A802,,CAT,STRAY,2026-02-01,,",
        "A801,Luna,DOG,STRAY,2026-02-10,ADOPTION,2026-03-20",
        "A803,*Rocky,DOG,OWNER SURRENDER,2026-02-11,,",
        "A804,Tiger,CAT,STRAY,2026-02-12,TRANSFER,2026-02-14",
        "A805,Nibbles,OTHER,STRAY,2026-02-12,,",
        "A806,Daisy,DOG,STRAY,2026-02-13,ADOPTION,2026-02-27",
        "A806,Daisy,DOG,OWNER SURRENDER,2026-03-02,,",
        "A807,,BIRD,STRAY,2026-01-30,,",
        "A808,Sam,CAT,STRAY,2026-03-04,EUTHANASIA,2026-03-04",
        "A809,Luna,DOG,STRAY,2026-03-05,,",
        "A810,Cleo,CAT,STRAY,2026-03-06,ADOPTION,2026-03-09",
      ),
      animals: [
        "A801,Luna,1,sold",
        "A802,A802,2,available",
        "A803,*Rocky,1,available",
        "A805,Nibbles,5,available",
        "A806,Daisy,1,available",
        "A807,A807,4,available",
        "A809,Luna,1,available",
        "A810,Cleo,2,sold",
      ],
      counts: { added: 8, changed: 0, unchanged: 0, leftOut: 4 },
      gone: 0,
    },
    {
      file: "animals-w15.csv",
      text: lines(
        "animal_id,animal_name,animal_type,intake_type,intake_date,outcome_type,outcome_date",
        "A802,Pearl,CAT,STRAY,2026-02-01,ADOPTION,2026-04-01",
        "A801,Luna,DOG,STRAY,2026-02-10,ADOPTION,2026-03-20",
        "A803,*Rocky,DOG,OWNER SURRENDER,2026-02-11,TRANSFER,2026-04-02",
        "A804,Tiger,CAT,STRAY,2026-02-12,TRANSFER,2026-02-14",
        "A805,Nibbles,OTHER,STRAY,2026-02-12,,",
        "A806,Daisy,DOG,STRAY,2026-02-13,ADOPTION,2026-02-27",
        "A806,Daisy,DOG,OWNER SURRENDER,2026-03-02,ADOPTION,2026-04-03",
        "A808,Sam,CAT,STRAY,2026-03-04,EUTHANASIA,2026-03-04",
        "A809,Luna,DOG,STRAY,2026-03-05,,",
        "A810,Cleo,CAT,STRAY,2026-03-06,ADOPTION,2026-03-09",
        "A810,Cleo,CAT,OWNER SURRENDER,2026-04-01,,",
        "A811,Moose,DOG,STRAY,2026-04-02,,",
        "A812,,OTHER,STRAY,2026-04-02,ADOPTION,2026-04-03",
      ),
      animals: [
        "A801,Luna,1,sold",
        "A802,Pearl,2,sold",
        "A803,*Rocky,1,available",
        "A805,Nibbles,5,available",
        "A806,Daisy,1,sold",
        "A807,A807,4,available",
        "A809,Luna,1,available",
        "A810,Cleo,2,available",
        "A811,Moose,1,available",
        "A812,A812,5,sold",
      ],
      counts: { added: 2, changed: 3, unchanged: 3, leftOut: 5 },
      gone: 1,
    },
  ],
};
