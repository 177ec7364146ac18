import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5";
import { expect, inject, test } from "vitest";

const program = `import { createPetstoreClient, isApiError, type NewPet, type Pet } from "@petstore/client";
const client = createPetstoreClient();
const strings = createPetstoreClient({ int64: "string" });
const list = client.listPets({ limit: 1 });
const page = await list;
const pet = await client.createPet({ name: "Rex", categoryId: 7 });
const changed = await client.experimental.updatePet(1, { status: "sold" });
const { id } = await strings.getPet(1);
const error = await list.catch((reason: unknown) => (isApiError(reason, "rate_limited") ? reason.code : 0));
`;

const project = inject("project");
const file = join(project, "hovers.ts");
writeFileSync(file, program);

const options: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
};

// The documented API of TypeScript 5: version 7 has none.
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot(name) {
    const text = ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => project,
  fileExists: (path) => ts.sys.fileExists(path),
  readFile: (path) => ts.sys.readFile(path),
  directoryExists: (path) => ts.sys.directoryExists(path),
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
});

const pet = 'Pet<"exact">';

test.each(
  Object.entries({
    "createPetstoreClient()": "createPetstoreClient(options?: PetstoreClientOptions): PetstoreClient (+1 overload)",
    "listPets(": `(method) PetstoreClient<"exact">.listPets(query?: ListPetsQuery, options?: RequestOptions): PageList<${pet}>`,
    "updatePet(": `(method) updatePet(petId: number | bigint | string, changes: PetChanges, options?: UpdateOptions): Result<${pet}>`,
    "page =": `const page: Page<${pet}>`,
    "id }": "const id: string",
    "NewPet,":
      "type NewPet = {\n    name: string;\n    categoryId: number | bigint | string;\n    status?: PetStatus | undefined;\n}",
    "Pet }":
      'type Pet<Form extends Int64Form = "exact"> = {\n    id: Int64<Form>;\n    name: string;\n    categoryId: Int64<Form>;\n    status: PetStatus;\n}',
    "error =": `const error: Page<${pet}> | "rate_limited" | 0`,
  }),
)("an editor shows types in full: %s", (name, shown) => {
  const { displayParts } = service.getQuickInfoAtPosition(file, program.lastIndexOf(name)) ?? {};
  expect(ts.displayPartsToString(displayParts).replace(/^\(alias\) |\nimport .*/g, "")).toBe(shown);
});
