export type { AppHost } from "./host.ts";
export { AppFailure, type FailureKind } from "./failure.ts";
