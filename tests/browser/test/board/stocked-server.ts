import { startServer, type TestServer } from "@petstore/server/start-server";

/**
 * Animals that are hard to lay out: several scripts, long names, and ids that numbers would round.
 */
export const hardAnimals = (
  [
    ["9007199254740993", "Otis", "9007199254740993", "pending"],
    ["20", "Zazu 🦜", "4", "available"],
    ["21", "Mochi", "9223372036854775807", "available"],
    ["22", "ليلى", "5", "pending"],
    ["23", "Мурка", "6", "available"],
    [
      "24",
      "Sir Barnaby Fluffington III, Duke of the Windowsill, ".repeat(4).trim(),
      "7",
      "available",
    ],
    ["25", "\u202eדובי\u202c and O’Malley", "8", "sold"],
    ["26", "W".repeat(255), "9", "available"],
    ["9223372036854775000", "Juno", "-9223372036854775808", "available"],
  ] as const
).map(([id, name, categoryId, status]) => ({
  id: BigInt(id),
  name,
  categoryId: BigInt(categoryId),
  status,
}));

const names = [
  "Olive",
  "Finn",
  "Poppy",
  "Gus",
  "Willow",
  "Archie",
  "Ivy",
  "Bruno",
  "Maple",
  "Teddy",
  "Remy",
  "Nori",
];
const statuses = ["available", "available", "pending", "sold", "available"] as const;

/**
 * Starts a server with animals for every state of the board. It can also be used outside of a test.
 */
export async function startStockedServer(): Promise<TestServer> {
  const categoryNames = new Map([
    ["1", "Dogs"],
    ["2", "Cats"],
    ["8", "Rabbits and rodents"],
  ]);
  const server = await startServer({ categoryNames, hasSignInLinks: true });
  const others = Array.from({ length: 170 }, (_, index) => ({
    id: index < 19 ? index + 1 : 1_000 + index * 37,
    name: names[(index * 7) % names.length] ?? "",
    categoryId: (index * index) % 23,
    status: statuses[(index * 3) % statuses.length] ?? "available",
  }));
  await server.store.importPets([...hardAnimals, ...others]);
  return server;
}
