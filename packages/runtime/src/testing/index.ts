export { describeApprovalStore } from "./stores.ts";
export { describeAudit } from "./stores.ts";
