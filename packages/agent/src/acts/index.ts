/** What tests use of this folder; sources import the files themselves. */

export { AnswerStream } from "./answer-stream.ts";
