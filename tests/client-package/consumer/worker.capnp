using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # By default, a worker reaches only public addresses.
    (name = "internet", network = (allow = ["local"])),
  ],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "worker.js", esModule = embed "worker.bundle.js")],
  bindings = [
    (name = "FAILING", fromEnvironment = "FAILING"),
    (name = "PETSTORE_BASE_URL", fromEnvironment = "PETSTORE_BASE_URL"),
    (name = "PETSTORE_API_KEY", fromEnvironment = "PETSTORE_API_KEY"),
  ],
);
