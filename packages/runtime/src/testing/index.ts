export { describeApprovalStore } from "./approval-store.ts";
export { describeAudit } from "./audit.ts";
