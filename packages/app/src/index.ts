export type {
  App,
  AppApprovals,
  AppChanges,
  AppChat,
  AppOptions,
  AppPacks,
  AppSkills,
  ApprovalAnswer,
  ChangeEntry,
  ChangeList,
  ChangesSettled,
  PackRequest,
  PendingApproval,
  RecordedRun,
  ResumeRequest,
  RunEntry,
  RunOutcome,
  RunRequest,
  RunAbandoned,
  RunUpdate,
  RunWatch,
  ScriptOutput,
  StartedRun,
} from "./api.ts";
export { AppFailure, type FailureKind } from "./failure.ts";
export type { AppHost, Person, TrustAnswer, TrustQuestion } from "./host.ts";
export { openApp } from "./lazy.ts";
export type { ScriptStat, SkillStat, SkillStats, StatsRequest } from "./stats/stats.ts";
export type { Check } from "./doctor/doctor.ts";
