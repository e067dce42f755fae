/** What tests use of this folder; sources import the files themselves. */

export { verifyInstalled } from "./verify-installed.ts";
