/** What tests use of this folder; sources import the files themselves. */

export { BackOff } from "./connection/back-off.ts";
export { failureOf } from "./connection/failure-of.ts";
export { readServerSettings } from "./settings/read-server-settings.ts";
export { hideSecrets, hideSecretsIn, hideSecretsInBytes, secretsIn } from "./settings/secrets.ts";
export { type ListedSkill, pathBelow, readListedSkill, skillRoot } from "./skills/listed-skill.ts";
export { materialiseSkill, windowsNameProblem } from "./skills/materialise-skill.ts";
export type { ReadContext } from "./skills/read-skill-file.ts";
export { answerProblem, fetchProblem } from "./transport/fetch-problem.ts";
export { LineSplitter } from "./transport/line-splitter.ts";
export { TailLog } from "./transport/tail-log.ts";
export { WantedMessages } from "./transport/wanted-messages.ts";
