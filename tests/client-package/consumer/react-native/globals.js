// The globals of React Native, from its own modules. Its network is that of the device: here, that
// of Node.
const { request } = process.getBuiltinModule("node:http");

class XMLHttpRequest {
  headers = {};
  open(method, url) {
    Object.assign(this, { method, url });
  }
  setRequestHeader(name, value) {
    this.headers[name] = value;
  }
  getAllResponseHeaders() {
    return Object.entries(this.received)
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join("");
  }
  abort() {
    this.isAborted = true;
    this.sent.destroy(new Error("aborted"));
  }
  send(body, url = this.url) {
    const { method, headers } = this;
    this.sent = request(url, { method, headers }, async (response) => {
      // The networks of Android and iOS follow redirects.
      if (response.statusCode === 308) return this.send(body, response.headers.location);
      const chunks = await response.toArray();
      this.responseText = chunks.join("");
      this.received = response.headers;
      this.status = response.statusCode;
      this.onload();
    });
    this.sent.on("error", () => (this.isAborted ? this.onabort() : this.onerror())).end(body);
  }
}

const others = [
  "crypto",
  "structuredClone",
  "fetch",
  "Headers",
  "Request",
  "Response",
  "FormData",
  "Blob",
];
for (const name of others) delete globalThis[name];
for (const name of ["rawJSON", "isRawJSON"]) delete JSON[name];
Object.assign(globalThis, { self: globalThis, XMLHttpRequest, nativeModuleProxy: {} });
Object.assign(globalThis, require("react-native/Libraries/Network/fetch"));
Object.assign(globalThis, {
  ...require("react-native/Libraries/Blob/URL"),
  ...require("react-native/src/private/webapis/dom/abort-api/AbortController"),
  ...require("react-native/src/private/webapis/dom/abort-api/AbortSignal"),
});
