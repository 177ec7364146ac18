/** Decodes UTF-8. @throws {TypeError} if the bytes are something else */
export const utf8 = new TextDecoder("utf-8", { fatal: true });
