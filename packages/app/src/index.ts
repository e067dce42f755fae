export { AppFailure, type FailureKind } from "./failure.ts";
export type { AppHost, Person, TrustAnswer, TrustQuestion } from "./host.ts";
