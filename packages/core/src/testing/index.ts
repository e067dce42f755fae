export { describeStateStore, describeTrustStore, type TestRunner } from "./stores.ts";
