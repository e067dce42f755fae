import type { ScanSeverity } from "./scan-finding.ts";

/** How far a rule's findings count on each axis, and what public taxonomies call them. */
export interface RuleTraits {
  /** The most that a finding says about what the author meant. Absent: nothing. */
  readonly intent?: ScanSeverity;
  /** The most that a finding says about what the code can do. Absent: nothing. */
  readonly danger?: ScanSeverity;
  /** OWASP Top 10 for Agentic Applications (ASI) and the patterns of MaliciousAgentSkillsBench. */
  readonly taxonomy: readonly string[];
}

const HIJACK = ["ASI01", "Behavior Manipulation"];
const HIDDEN = ["ASI01", "Hidden Instructions"];
const THEFT = ["ASI03", "Credential Theft"];
const TRANSMISSION = ["ASI02", "External Transmission"];
const EXECUTION = ["ASI05", "Remote Code Execution"];
const SUPPLY = ["ASI04", "Supply Chain"];
const ROGUE = ["ASI10", "Privilege Escalation"];
const MEMORY = ["ASI06", "Behavior Manipulation"];
const TRUST = ["ASI09", "Behavior Manipulation"];

/**
 * What blocks an install must be right, so a rule reaches intent `high` only if it raised next to no alarm in
 * thousands of ordinary skills. The others warn.
 */
export const RULE_TRAITS: Readonly<Record<string, RuleTraits>> = {
  "instruction-override": { intent: "high", taxonomy: HIJACK },
  "standing-orders": { danger: "medium", taxonomy: MEMORY },
  "conceal-from-user": { intent: "high", taxonomy: TRUST },
  "safety-bypass": { intent: "high", taxonomy: HIJACK },
  "role-marker": { intent: "high", taxonomy: HIJACK },
  "tool-poisoning": { intent: "critical", taxonomy: HIDDEN },
  "unicode-tags": { intent: "critical", taxonomy: HIDDEN },
  "zero-width-text": { intent: "medium", taxonomy: HIDDEN },
  "bidi-override": { intent: "medium", taxonomy: HIDDEN },
  "hidden-comment": { intent: "high", taxonomy: HIDDEN },
  "hidden-text": { intent: "medium", taxonomy: HIDDEN },
  "encoded-instructions": { intent: "high", taxonomy: HIDDEN },
  "secret-exfiltration": { intent: "critical", danger: "critical", taxonomy: THEFT },
  "exfiltration-instruction": { intent: "critical", taxonomy: TRANSMISSION },
  "secret-request": { intent: "medium", danger: "medium", taxonomy: THEFT },
  "capture-service": { intent: "medium", danger: "medium", taxonomy: TRANSMISSION },
  "ominous-host": { intent: "high", taxonomy: TRANSMISSION },
  "encoded-key": { intent: "high", danger: "high", taxonomy: THEFT },
  "raw-address": { danger: "medium", taxonomy: TRANSMISSION },
  "dns-exfiltration": { intent: "high", danger: "high", taxonomy: TRANSMISSION },
  "image-exfiltration": { intent: "high", taxonomy: TRANSMISSION },
  "data-flow": { intent: "high", danger: "high", taxonomy: THEFT },
  "load-time-command": { danger: "medium", taxonomy: EXECUTION },
  "decoded-execution": { intent: "high", danger: "high", taxonomy: EXECUTION },
  "obfuscated-code": { danger: "high", taxonomy: EXECUTION },
  "startup-persistence": { danger: "medium", taxonomy: ROGUE },
  "authorized-keys": { danger: "medium", taxonomy: ROGUE },
  "git-hook": { danger: "medium", taxonomy: ROGUE },
  "agent-tampering": { danger: "medium", taxonomy: MEMORY },
  "destructive-command": { danger: "medium", taxonomy: ROGUE },
  ransomware: { intent: "critical", danger: "critical", taxonomy: ROGUE },
  "cover-tracks": { intent: "medium", danger: "medium", taxonomy: ROGUE },
  "privilege-escalation": { danger: "medium", taxonomy: ROGUE },
  "safeguard-disabled": { danger: "medium", taxonomy: ROGUE },
  "open-permissions": { danger: "medium", taxonomy: ROGUE },
  "secret-collection": { danger: "medium", taxonomy: THEFT },
  "host-takeover": { danger: "medium", taxonomy: ROGUE },
  "broad-tools": { danger: "medium", taxonomy: ["ASI02", "Excessive Permissions"] },
  "download-and-run": { intent: "critical", danger: "critical", taxonomy: EXECUTION },
  "system-tool-abuse": { intent: "high", danger: "high", taxonomy: EXECUTION },
  "code-from-input": { danger: "medium", taxonomy: ["ASI05", "Code Injection"] },
  "fake-prerequisite": { intent: "high", danger: "high", taxonomy: TRUST },
  "reverse-shell": { intent: "critical", danger: "critical", taxonomy: EXECUTION },
  "crypto-miner": { intent: "critical", danger: "critical", taxonomy: ROGUE },
  keylogger: { intent: "high", danger: "high", taxonomy: THEFT },
  "install-script": { danger: "medium", taxonomy: SUPPLY },
  "unpinned-package": { danger: "medium", taxonomy: SUPPLY },
  "workflow-injection": { danger: "medium", taxonomy: SUPPLY },
  "control-file": { danger: "high", taxonomy: SUPPLY },
  "nested-repository": { intent: "critical", danger: "critical", taxonomy: SUPPLY },
  "claim-mismatch": { danger: "medium", taxonomy: ["ASI09", "External Transmission"] },
  "time-bomb": { intent: "high", danger: "high", taxonomy: ROGUE },
  "remote-instructions": { danger: "medium", taxonomy: HIJACK },
  "compiled-code": { danger: "medium", taxonomy: SUPPLY },
  "large-unscanned-file": { danger: "medium", taxonomy: SUPPLY },
};
