import { expect, test } from "vitest";
import { readConfig, settingsOfServices, unknownSettings } from "../../src/config.ts";
import { database, databaseForms, defaults, given, hostForm, problems, read } from "./settings.ts";

/** What Kubernetes sets for a Service, by the code of its kubelet, and Docker for a link. */
function variablesOf(prefix: string, address: string): Record<string, string> {
  return {
    [`${prefix}_SERVICE_HOST`]: "10.3.2.1",
    [`${prefix}_SERVICE_PORT`]: "80",
    [`${prefix}_SERVICE_PORT_HTTP_2`]: "80",
    [`${prefix}_PORT`]: address,
    ...Object.fromEntries(
      ["TCP", "UDP", "SCTP"].flatMap((protocol) => [
        [`${prefix}_PORT_80_${protocol}`, address],
        [`${prefix}_PORT_80_${protocol}_PROTO`, protocol.toLowerCase()],
        [`${prefix}_PORT_80_${protocol}_PORT`, "80"],
        [`${prefix}_PORT_80_${protocol}_ADDR`, "10.3.2.1"],
        [`${prefix}_PORT_80_${protocol}_PORT_START`, "80"],
      ]),
    ),
    [`${prefix}_NAME`]: "/web/petstore",
    [`${prefix}_ENV_NODE_VERSION`]: "24.21.0",
  };
}

const serviceAddresses = [
  "tcp://10.3.2.1:80",
  "udp://10.3.2.1:53",
  "sctp://10.3.2.1:80",
  "tcp://[fd00::1]:80",
];

test.each(
  ["PETSTORE", "PETSTORE_ADMIN", "PETSTORE_DB_1"].flatMap((prefix) =>
    serviceAddresses.map((address) => [prefix, address] as const),
  ),
)(
  "the variables %s_… of a Service at %s change no setting, and are not reported",
  (prefix, address) => {
    const environment = { ...database, ...variablesOf(prefix, address) };
    expect(readConfig(environment, false)).toEqual(defaults);
    expect(unknownSettings(environment)).toEqual([]);
  },
);

test("settings win over those of a Service, and one that is replaced by its address is reported", () => {
  const environment = { ...variablesOf("PETSTORE", "tcp://10.3.2.1:80"), ...given };
  expect(readConfig(environment, false)).toEqual(read);
  expect(settingsOfServices(environment)).toEqual([]);
  expect(settingsOfServices({ ...given, PETSTORE_ADMIN_PORT: "tcp://10.3.2.1:80" })).toEqual([
    "PETSTORE_ADMIN_PORT",
  ]);
});

test.each([
  ["PETSTORE_PROT", "8080"],
  ["PETSTORE_ADMN_PORT", "9090"],
  ["PETSTORE_PORT_TCP", "8080"],
  ["PETSTORE_SERVICE", "on"],
  ["PETSTORE_NAME", "Paws"],
])("%s=%s is reported as misspelt", (name, value) => {
  expect(unknownSettings({ [name]: value })).toEqual([name]);
});

test.each([
  ["PETSTORE_HOST", hostForm],
  ["PETSTORE_DATABASE_URL", databaseForms],
])("only a port can be the address of a Service: %s is rejected", (name, message) => {
  expect(problems({ ...database, [name]: "tcp://10.3.2.1:80" })).toEqual([`${name} ${message}`]);
});
