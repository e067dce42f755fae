/** What tests use of this folder; sources import the files themselves. */

export { asClient, clientAudit, clientName, clientPrincipal } from "./client-record.ts";
export { typedArguments } from "./methods/typed-arguments.ts";
export { paginate } from "./paginate.ts";
export { pathHider } from "./path-hider.ts";
export { isSecretFile } from "./published/secret-files.ts";
export {
  entryProblem,
  isPlainHead,
  servedSkillFile,
  verbatimFrontmatter,
} from "./published/served-skill-file.ts";
export { renewal } from "./renewal.ts";
export { reportProgress } from "./report-progress.ts";
export { ScriptPlaces } from "./script-places.ts";
export { guardedInput } from "./stdio/guarded-input.ts";
export { PacedTransport } from "./stdio/paced-transport.ts";
