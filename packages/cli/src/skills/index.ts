/** What tests use of this folder; sources import the files themselves. */

export type { Check } from "./doctor/check.ts";
export { executionChecks } from "./doctor/execution-checks.ts";
export { addTrustOption } from "./trust/add-trust-option.ts";
export { meantTrust } from "./trust/meant-trust.ts";
export { requireTrust } from "./trust/require-trust.ts";
export { trustedSkills } from "./trust/trusted-skill.ts";
