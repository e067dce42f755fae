/** What tests use of this folder; sources import the files themselves. */

export { secretFilesIn } from "./confinement/protected-files.ts";
export { findSkillScript, hiddenScripts, skillScriptFolders } from "./command/skill-scripts.ts";
export { splitCommand } from "./command/run-command.ts";
export { openFolder } from "./confinement/open-folder.ts";
export type { OpenedFolder, OpenFolder } from "./confinement/opened-folder.ts";
export { parseWorkspacePath } from "./confinement/workspace-path.ts";
export type { Parameters } from "./input/parameter.ts";
export { readToolInput } from "./input/tool-input.ts";
export { httpsTransport } from "./network/https-transport.ts";
export type {
  NetworkAddress,
  TransportRequest,
  TransportResponse,
} from "./network/network-transport.ts";
export { isPublicAddress } from "./network/public-address.ts";
export { expandBraces } from "./search/expand-braces.ts";
export { isPlainPattern } from "./search/ripgrep-candidates.ts";
