import { writeGenerated } from "../../../scripts/generated.ts";
import { openApiText } from "../src/openapi.ts";

writeGenerated(new URL("../openapi.json", import.meta.url), openApiText());
