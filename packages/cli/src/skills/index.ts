/** What tests use of this folder; sources import the files themselves. */

export type { Check } from "@skillwright/app/internal";
export { executionChecks } from "@skillwright/app/internal";
export { addTrustOption } from "./trust/add-trust-option.ts";
export { meantTrust } from "@skillwright/app/internal";
export { requireTrust } from "@skillwright/app/internal";
export { trustedSkills } from "@skillwright/app/internal";
