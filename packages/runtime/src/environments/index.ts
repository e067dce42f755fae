export {
  declaresItself,
  environmentNeed,
  type EnvironmentNeed,
  type NeedFailure,
} from "./needs.ts";
export {
  type EnvironmentPlan,
  prepareEnvironment,
  type PrepareFailure,
  type PrepareOptions,
} from "./prepare.ts";
export { type Environment, EnvironmentStore, type LockedLibrary } from "./store.ts";
