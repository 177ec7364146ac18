/** Headers of every response, whoever sends it. */
export const safeHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** The `Content-Type` of every JSON body that is sent. */
export const jsonType = "application/json; charset=utf-8";
