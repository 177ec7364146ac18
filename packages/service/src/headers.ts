/** The headers on every response of the API. */
export const safeHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

export const jsonType = "application/json; charset=utf-8";
