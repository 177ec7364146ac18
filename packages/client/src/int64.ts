export { compareInt64, parseInt64, parseJson, stringifyJson } from "@petstore/contract/int64";
