export const shelter = [
  "Our animals,,,,",
  "Animal ID,Animal Name,Animal Type,Outcome Type,Age",
  "A100,Bella,DOG,Adoption,2",
  "A101,,Dog,Transfer,3",
  "A102, Max ,Cat,Adoption,1",
  "A103,,Guinea Pig,Adoptable,4",
  "A104,Rex,Axolotl,Foster,4",
];
export const names = "1=Dogs,2=Cats,5=Small ones";

export const sold = (name: string, categoryId: number) =>
  JSON.stringify({ name, categoryId, status: "sold" });
