import { patternChecks } from "./rules/pattern-rules.ts";
import { dataFlow } from "./rules/data-flow.ts";
import { controlFile, nestedRepository } from "./rules/structure-rules.ts";
import { RULE_TRAITS } from "./rule-traits.ts";
import { coverTracks } from "./rules/destructive/cover-tracks.ts";
import { destructiveCommand } from "./rules/destructive/destructive-command.ts";
import { ransomware } from "./rules/destructive/ransomware.ts";
import {
  captureService,
  dnsExfiltration,
  imageExfiltration,
  loadTimeCommand,
} from "./rules/exfiltration/exfiltration-channels.ts";
import { exfiltrationInstruction } from "./rules/exfiltration/exfiltration-instruction.ts";
import { secretExfiltration } from "./rules/exfiltration/secret-exfiltration.ts";
import { secretRequest } from "./rules/exfiltration/secret-request.ts";
import { encodedInstructions } from "./rules/hidden-instructions/encoded-instructions.ts";
import { hiddenComment } from "./rules/hidden-instructions/hidden-comment.ts";
import { hiddenText } from "./rules/hidden-instructions/hidden-text.ts";
import {
  bidiOverride,
  unicodeTags,
  zeroWidthText,
} from "./rules/hidden-instructions/unseen-characters.ts";
import { largeUnscannedFile } from "./rules/mismatch/large-unscanned-file.ts";
import {
  claimMismatch,
  compiledCode,
  remoteInstructions,
  timeBomb,
} from "./rules/mismatch/mismatch-rules.ts";
import { decodedExecution } from "./rules/obfuscated-execution/decoded-execution.ts";
import { obfuscatedCode } from "./rules/obfuscated-execution/obfuscated-code.ts";
import { authorizedKeys, gitHook } from "./rules/persistence/access-persistence.ts";
import { agentTampering } from "./rules/persistence/agent-tampering.ts";
import { startupPersistence } from "./rules/persistence/startup-persistence.ts";
import {
  broadTools,
  privilegeEscalation,
  safeguardDisabled,
} from "./rules/privilege/privilege-rules.ts";
import { concealFromUser } from "./rules/prompt-injection/conceal-from-user.ts";
import { instructionOverride } from "./rules/prompt-injection/instruction-override.ts";
import { roleMarker } from "./rules/prompt-injection/role-marker.ts";
import { safetyBypass } from "./rules/prompt-injection/safety-bypass.ts";
import { standingOrders } from "./rules/prompt-injection/standing-orders.ts";
import { downloadAndRun } from "./rules/remote-code/download-and-run.ts";
import { fakePrerequisite } from "./rules/remote-code/fake-prerequisite.ts";
import { cryptoMiner, keylogger, reverseShell } from "./rules/remote-code/hostile-programs.ts";
import { installScript } from "./rules/remote-code/install-script.ts";
import { unpinnedPackage } from "./rules/remote-code/unpinned-package.ts";
import type { ScanCheck } from "./scan-check.ts";
import type { ScanRule } from "./scan-finding.ts";

/** In the order of the documentation. */
export const scanChecks: readonly ScanCheck[] = [
  instructionOverride,
  standingOrders,
  concealFromUser,
  safetyBypass,
  roleMarker,
  unicodeTags,
  zeroWidthText,
  bidiOverride,
  hiddenComment,
  hiddenText,
  encodedInstructions,
  secretExfiltration,
  exfiltrationInstruction,
  secretRequest,
  captureService,
  dnsExfiltration,
  imageExfiltration,
  loadTimeCommand,
  decodedExecution,
  obfuscatedCode,
  startupPersistence,
  authorizedKeys,
  gitHook,
  agentTampering,
  destructiveCommand,
  ransomware,
  coverTracks,
  privilegeEscalation,
  safeguardDisabled,
  broadTools,
  downloadAndRun,
  fakePrerequisite,
  reverseShell,
  cryptoMiner,
  keylogger,
  installScript,
  unpinnedPackage,
  claimMismatch,
  timeBomb,
  remoteInstructions,
  compiledCode,
  largeUnscannedFile,
  ...patternChecks,
  dataFlow,
  controlFile,
  nestedRepository,
];

export const scanRules: readonly ScanRule[] = scanChecks.map(
  ({ id, severity, category, summary, explanation }) => ({
    id,
    severity,
    category,
    summary,
    explanation,
    ...RULE_TRAITS[id],
  }),
);
