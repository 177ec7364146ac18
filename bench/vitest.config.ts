import { suite } from "@petstore/test-kit/suite";

export default suite();
