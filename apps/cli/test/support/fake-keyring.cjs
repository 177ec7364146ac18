// Like `@napi-rs/keyring`, but in the file keyring.json of the home. KEYRING_FAULT makes it fail or forget.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");

const path = `${process.env.HOME}/keyring.json`;
const fault = process.env.KEYRING_FAULT;

exports.AsyncEntry = class {
  constructor(service, account) {
    this.name = `${service}: ${account}`;
  }

  async change(change) {
    if (fault === "fail") throw new Error("the keyring is locked");
    const entries = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    const result = change(entries);
    if (fault !== "forget") writeFileSync(path, JSON.stringify(entries));
    return result;
  }

  getPassword() {
    return this.change((entries) => entries[this.name] ?? null);
  }

  setPassword(password) {
    return this.change((entries) => void (entries[this.name] = password));
  }

  deletePassword() {
    return this.change((entries) => delete entries[this.name]);
  }
};
