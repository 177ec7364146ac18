// By its path: the kit depends on the contract.
import { suite } from "../../tests/kit/suite.ts";

export default suite({ test: { isolate: false, maxWorkers: 1 } });
