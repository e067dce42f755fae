export type { Candidate, FetchedPack, FetchOptions, PackProgress } from "./fetched-pack.ts";
export type { InstallScope } from "./install-scope.ts";
export type { PackFailure, PackFailureCode } from "./pack-failure.ts";
export { DEFAULT_LIMITS, type PackLimits } from "./pack-limits.ts";
export type { PackOrigin } from "./pack-origin.ts";
