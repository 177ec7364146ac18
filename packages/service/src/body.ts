import { isTooDeep, parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { maxBodyDepth, maxBodyValues } from "@petstore/contract/rules";
import { HttpError } from "./http-error.ts";

/**
 * @throws {HttpError} 415 unless the body is JSON in UTF-8. Pass a `contentType` only if the header
 * was sent exactly once.
 */
export function checkMediaType(
  contentType: string | undefined,
  contentEncoding = "identity",
): void {
  if (contentEncoding.toLowerCase() !== "identity") {
    const message = "The body must not have a content encoding.";
    // RFC 9110, section 15.5.16
    throw new HttpError("unsupported_media_type", undefined, {
      message,
      headers: { "Accept-Encoding": "identity" },
    });
  }
  if (!isJson(contentType ?? "")) throw new HttpError("unsupported_media_type");
}

const jsonType = /^application\/json[\t ]*(;.*)?$/is;
const parameter = /;[\t ]*([^;="\t ]*)[\t ]*(?:=[\t ]*("(?:[^"\\]|\\.)*"|[^;]*))?[\t ]*/gsy;

/**
 * Whether a media type is JSON in UTF-8 (RFC 9110, section 8.3.1). `charset` may appear once; other
 * parameters are ignored.
 */
function isJson(contentType: string): boolean {
  const [isType, parameters = ""] = jsonType.exec(contentType.trim()) ?? [];
  const charsets = [...parameters.matchAll(parameter)].flatMap(([, name, value]) =>
    value !== undefined && name?.toLowerCase() === "charset"
      ? [value.replaceAll(/\\(.)/g, "$1").trim()]
      : [],
  );
  return (
    isType !== undefined &&
    charsets.length <= 1 &&
    charsets.every((each) => /^("?)utf-8\1$/i.test(each))
  );
}

/**
 * Parses a JSON body, as bytes or as a text. @throws {HttpError} 400 when it is empty, invalid or
 * too deep
 */
export function parseBody(body: Uint8Array | string): unknown {
  if (body.length === 0) throw emptyBody();
  const text = typeof body === "string" ? body : decodeUtf8(body);
  if (isTooDeep(text, maxBodyDepth)) {
    throw new HttpError("invalid_request", `the body nests deeper than ${maxBodyDepth} levels`);
  }
  // Each value but the first follows a comma. Those in texts count too.
  if (text.split(",", maxBodyValues + 1).length > maxBodyValues)
    throw new HttpError("invalid_request", `the body has more than ${maxBodyValues} values`);
  try {
    return parseJson(text);
  } catch {
    throw new HttpError("invalid_request", "the body is not valid JSON");
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError("invalid_request", "the body is not valid UTF-8");
  }
}

export function emptyBody(): HttpError {
  return new HttpError("invalid_request", `the body is empty, but ${expected.object}`);
}
