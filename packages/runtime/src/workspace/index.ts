/** What tests use of this folder; sources import the files themselves. */

export { findSkillScript, hiddenScripts, skillScriptFolders } from "./command/skill-scripts.ts";
export { splitCommand } from "../policy/match-commands.ts";
export { type OpenedFolder, openFolder, type OpenFolder } from "./confinement/open-folder.ts";
export { secretFilesIn } from "./confinement/protected-files.ts";
export { parseWorkspacePath } from "./confinement/workspace-path.ts";
export { type Parameters, readToolInput } from "./workspace.ts";
export { httpsTransport } from "./network/send-request.ts";
export type {
  NetworkAddress,
  TransportRequest,
  TransportResponse,
} from "./network/send-request.ts";
export { isPublicAddress } from "./network/send-request.ts";
export { expandBraces } from "./search/walk-files.ts";
export { changeByWrite } from "./files/write-file.ts";
export { PROTECTED_FILES } from "./confinement/protected-files.ts";
export { realWorkspacePath } from "./confinement/workspace-path.ts";
