export {
  environmentNeed,
  type EnvironmentNeed,
  type NeedFailure,
  type ReadSkillFile,
} from "./needs.ts";
export {
  type EnvironmentPlan,
  prepareEnvironment,
  type PrepareFailure,
  type PrepareOptions,
} from "./prepare.ts";
export { readSkillText } from "./read-skill-text.ts";
export { type Environment, EnvironmentStore, type LockedLibrary } from "./store.ts";
export { type EnvironmentOptions, withEnvironments } from "./with-environments.ts";
