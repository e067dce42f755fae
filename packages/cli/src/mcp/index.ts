/** What tests use of this folder; sources import the files themselves. */

export { checkServeArguments } from "./install/check-serve-arguments.ts";
export { type Client, clientFile, CLIENTS, type Scope } from "./install/client-file.ts";
export { editToml } from "./install/edit-toml.ts";
export { editedJson } from "./install/edited-json.ts";
export { installCommand, type InstallOptions } from "./install/install-command.ts";
export { shownDiff } from "./install/shown-diff.ts";
export { httpPlace } from "./serve/http-place.ts";
