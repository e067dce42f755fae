const SECRET = String.raw`(?:credentials?|secrets?|api[ _-]?keys?|tokens?|passwords?|private keys?|ssh keys?|\.ssh|\.aws|\.env\b|environment variables?|env vars?|id_rsa|wallet\w*|seed phrases?|conversation|chat (?:history|log)|memory\.md|soul\.md|keychain|cookies)`;
const CARRY = String.raw`(?:send|post|upload|transmit|forward|submit|exfiltrate|e-?mail|append|include|attach|embed|encode|copy|report|pass|deliver|relay|leak|share|push|sync)(?:s|ing|ed)?`;
const HARM = new RegExp(
  [
    String.raw`\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instructions?|rules|guidelines|prompts?)\b`,
    String.raw`\b${CARRY}\b[^.\n]{0,100}${SECRET}[^.\n]{0,80}(?:\bto\b|https?:|@|webhook|endpoint|parameter|\binto?\b)|${SECRET}[^.\n]{0,100}\b${CARRY}\b[^.\n]{0,60}(?:\bto\b|https?:)`,
    String.raw`\b(?:read|cat|open|collect|gather|harvest|extract|steal|dump|grab|load)\b[^.\n]{0,60}(?:\.ssh|\.aws|\.env\b|id_rsa|credentials|keychain|wallet|/etc/shadow|secrets?\b|api keys?)`,
    String.raw`\b(?:do not|don'?t|never|without)\s+(?:tell\w*|inform\w*|mention\w*|notify\w*|alert\w*|reveal\w*|show\w*|ask\w*)\b[^.\n]{0,30}\b(?:the user|user|human|this|anyone|confirmation)`,
    String.raw`\b(?:run|execute|eval|invoke|call|source)\b[^.\n]{0,60}(?:curl|wget|bash|sh -c|base64|python3? |node |powershell|https?://|\.sh\b|\.py\b|\.ps1\b|silently|in the background|hidden)`,
    String.raw`\b(?:curl|wget)\b[^\n]{0,120}\|\s*(?:ba|z)?sh\b|/dev/tcp/|\bbase64\s+(?:-d|--decode)\b|\brm\s+-rf\s+[~/$]|\bnc\s+-\w*e`,
    String.raw`\b(?:fetch|download|get|retrieve|visit|open|load)\b[^.\n]{0,60}https?://[^\s]{1,200}[^.\n]{0,60}\b(?:follow|execute|run|obey|instructions|install|apply)`,
    String.raw`\b(?:disable|bypass|skip|turn off)\b[^.\n]{0,30}\b(?:safety|security|approval|confirmation|sandbox|permission|guardrails?)`,
    String.raw`\b(?:add|append|write|insert|inject)\b[^.\n]{0,60}\b(?:claude\.md|agents\.md|soul\.md|memory\.md|\.cursorrules|settings\.json|\.bashrc|\.zshrc|crontab|authorized_keys)`,
    String.raw`\byou are (?:now )?(?:dan|unrestricted|in developer mode|jailbroken)`,
    String.raw`\b(?:bcc|cc)\b[^.\n]{0,40}@|\b(?:always|must|secretly|silently|quietly)\b[^.\n]{0,60}\b(?:send|post|upload|forward|add a (?:link|dependency)|insert|recommend|transfer)\b`,
    String.raw`\bsystem\s*(?:override|prompt)\s*:|\bnew instructions?\s*:`,
    String.raw`\b(?:delete|remove|wipe|erase|drop|destroy)\b[^.\n]{0,40}\b(?:all (?:files|data)|home directory|database|repository|backups?|everything)`,
  ].join("|"),
  "g",
);

/** What a text asks a model or a machine to do that would harm; undefined when nothing. Expects folded text. */
export function instructsHarm(text: string): string | undefined {
  const flat = text.replaceAll(/\s+/g, " ");
  for (const match of flat.matchAll(HARM)) {
    if (!NEGATED.test(flat.slice(Math.max(0, match.index - 30), match.index)))
      return match[0].slice(0, 80);
  }
  return undefined;
}

const NEGATED =
  /\b(?:do not|don'?t|never|avoid|must not|should not|not|ask before you)\s+(?:\w+\s+)?$/;
