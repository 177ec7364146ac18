import { suite } from "@petstore/test-kit/suite";

export default suite({ test: { isolate: false, maxWorkers: 1 } });
