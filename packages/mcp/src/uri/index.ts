/** What tests use of this folder; sources import the files themselves. */

export { skillUri, skillUriSegments } from "./skill-uri.ts";
