import { isTooDeep, parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { maxBodyDepth } from "@petstore/contract/values";
import { Refusal } from "./refusal.ts";

/** @throws {Refusal} 415 unless the body is JSON in UTF-8. `contentType` is undefined when it was not sent exactly once. */
export function checkMediaType(contentType: string | undefined, contentEncoding = "identity"): void {
  if (contentEncoding.toLowerCase() !== "identity") {
    const message = "The body must not have a content encoding.";
    // RFC 9110, section 15.5.16
    throw new Refusal("unsupported_media_type", undefined, { message, headers: { "Accept-Encoding": "identity" } });
  }
  if (!isJson(contentType ?? "")) throw new Refusal("unsupported_media_type");
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const quoted = '"(?:[\\t !#-[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"';
const parameter = `[\\t ]*;(?:[\\t ]*(${token})=(${token}|${quoted}))?`;
const jsonType = new RegExp(`^[\\t ]*application/json(?:${parameter})*[\\t ]*$`, "i");

/** RFC 9110, section 8.3.1. A type with two character sets is none. */
function isJson(contentType: string): boolean {
  if (!jsonType.test(contentType)) return false;
  const parameters = [...contentType.matchAll(new RegExp(parameter, "g"))];
  const charsets = parameters.flatMap(([, name, value]) => (name?.toLowerCase() === "charset" ? [value] : []));
  return charsets.length <= 1 && charsets.every((charset = "") => /^("?)utf-8\1$/i.test(charset));
}

/** The JSON of a body. @throws {Refusal} 400 when it is none */
export function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw emptyBody();
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("invalid_request", "the body is not valid UTF-8");
  }
  if (isTooDeep(text, maxBodyDepth)) {
    throw new Refusal("invalid_request", `the body nests deeper than ${maxBodyDepth} levels`);
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal("invalid_request", "the body is not valid JSON");
  }
}

export function emptyBody(): Refusal {
  return new Refusal("invalid_request", `the body is empty, but ${expected.object}`);
}
