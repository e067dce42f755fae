/** A text and what the real tokenizer makes of it. */
export interface TokenSample {
  readonly kind: string;
  readonly text: string;
  /** Counted with o200k_base; `npm run bench` shows when a number is stale. */
  readonly tokens: number;
  /** How far an estimate may be off, as a share of `tokens`; 0.15 unless told. */
  readonly within?: number;
}

export const tokenSamples: readonly TokenSample[] = [
  {
    kind: "English prose",
    tokens: 75,
    text: `The harbour was already awake when the ferry came in. Fishermen stacked crates along the quay, gulls argued over scraps, and a tired customs officer waved the first lorries through without looking up. Nobody noticed the small grey suitcase that stood alone beside the ticket office. By noon it had gathered a circle of curious children, and by evening, quite inevitably, a committee.`,
  },
  {
    kind: "short description",
    tokens: 35,
    text: `Turns meeting recordings into minutes with owners and due dates. Use when the user uploads an audio file or transcript and asks for a summary, action items or a follow-up email.`,
  },
  {
    kind: "Chinese prose",
    tokens: 111,
    text: `清晨的菜市场总是最热闹的地方。卖豆腐的大叔把木板擦得干干净净，隔壁的阿姨一边挑青菜，一边和老顾客聊着孩子的考试成绩。等太阳升到屋顶，人群渐渐散去，只剩下几只猫在空摊位之间慢慢踱步，好像在检查今天还留下了什么。我们坐在路边喝完最后一碗热汤，决定明天再来。`,
  },
  {
    kind: "Chinese description",
    tokens: 43,
    within: 0.25,
    text: `把数据库的慢查询日志整理成优化建议，并生成可以直接评审的索引变更脚本。当用户提到“查询太慢”、“接口超时”或上传日志文件时使用。`,
  },
  {
    kind: "mixed skill, English first",
    tokens: 136,
    text: `---
name: invoice-check
description: Checks supplier invoices against purchase orders. 核对供应商发票与采购订单。
---

# Invoice check

1. Read the invoice with \`python scripts/read_invoice.py --input "$FILE"\`.
2. Compare **every** line with the order; see [the rules](references/rules.md).
3. 如果金额相差超过 1%，请停止并询问用户，不要自行修改数据。

\`\`\`json
{ "invoice": "A-1042", "total": 318.5, "matched": false }
\`\`\`

> Never send an e-mail without asking first. 发送之前必须确认。
`,
  },
  {
    kind: "mixed skill, Chinese first",
    tokens: 157,
    text: `# 发布前检查

在合并 \`main\` 分支之前运行这份清单，所有步骤都可以重复执行。

- **类型检查**：执行 \`npx tsc --noEmit\`，修复全部 error 再继续。
- **单元测试**：用 \`npm test -- --coverage\`，覆盖率低于 80% 时说明原因。
- **变更日志**：在 \`CHANGELOG.md\` 里写清楚 breaking changes。

\`\`\`bash
git fetch origin && git rebase origin/main
npm run build > build.log 2>&1 || tail -n 40 build.log
\`\`\`

If the build fails twice, stop and report the log instead of guessing. 不要跳过失败的测试。
`,
  },
  {
    kind: "Markdown table",
    tokens: 89,
    text: `| Option | Default | Meaning |
| --- | --- | --- |
| \`--depth\` | 3 | How many folders below the root are searched |
| \`--format\` | text | One of \`text\`, \`json\` or \`markdown\` |
| \`--timeout\` | 30 s | Longest time a single script may take |
| \`--no-color\` | off | Print plain text even on a terminal |
`,
  },
  {
    kind: "Python",
    tokens: 121,
    text: `from pathlib import Path


def longest_lines(root: Path, limit: int = 10) -> list[tuple[int, str]]:
    """Return the longest source lines below root."""
    found = []
    for path in sorted(root.rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if len(line) > 100 and not line.lstrip().startswith("#"):
                found.append((len(line), f"{path.name}:{number}"))
    return sorted(found, reverse=True)[:limit]
`,
  },
  {
    kind: "TypeScript",
    tokens: 142,
    text: `export interface RetryOptions {
  readonly attempts: number;
  readonly delayMs?: number;
}

export async function withRetry<T>(task: () => Promise<T>, options: RetryOptions): Promise<T> {
  let lastError: unknown;
  for (let attempt = 0; attempt < options.attempts; attempt++) {
    try {
      return await task();
    } catch (error) {
      lastError = error;
      await new Promise((resolve) => setTimeout(resolve, (options.delayMs ?? 100) * 2 ** attempt));
    }
  }
  throw new Error(\`gave up after \${options.attempts} attempts\`, { cause: lastError });
}
`,
  },
  {
    kind: "shell",
    tokens: 132,
    text: `#!/usr/bin/env bash
set -euo pipefail
target="\${1:?usage: backup.sh DIRECTORY}"
stamp=$(date +%Y-%m-%d_%H%M)
find "$target" -type f -name '*.log' -mtime +7 -print0 | xargs -0 -r gzip -9
tar --exclude='node_modules' -czf "/var/backups/$stamp.tar.gz" "$target"
if [[ $(stat -c %s "/var/backups/$stamp.tar.gz") -lt 1024 ]]; then
  echo "backup looks empty" >&2
  exit 1
fi
`,
  },
  {
    kind: "JSON",
    tokens: 119,
    text: `{
  "name": "weather-station",
  "version": "2.4.1",
  "sensors": [
    { "id": "roof-01", "type": "temperature", "unit": "celsius", "offset": -0.25 },
    { "id": "yard-07", "type": "humidity", "unit": "percent", "enabled": true }
  ],
  "upload": { "url": "https://example.org/api/v1/readings", "intervalSeconds": 300, "retry": null }
}
`,
  },
  {
    kind: "YAML",
    tokens: 89,
    text: `services:
  web:
    image: registry.example.org/shop/web:1.18.0
    restart: unless-stopped
    ports: ["8080:80"]
    environment:
      LOG_LEVEL: info
      DATABASE_URL: postgres://shop@db:5432/shop
    healthcheck:
      test: ["CMD", "curl", "-f", "http://localhost/health"]
      interval: 30s
`,
  },
  {
    kind: "Japanese",
    tokens: 74,
    within: 0.25,
    text: `このスキルは、長い議事録を読みやすい要約にまとめます。まず話題ごとに段落を分け、決まったことと宿題を箇条書きにしてください。日付がはっきりしないときは、推測せずに利用者へ確認します。`,
  },
  {
    kind: "Korean",
    tokens: 61,
    within: 0.25,
    text: `이 기능은 긴 회의록을 짧은 요약으로 정리합니다. 먼저 주제별로 문단을 나누고, 결정된 내용과 해야 할 일을 목록으로 작성하세요. 날짜가 분명하지 않으면 추측하지 말고 사용자에게 물어보세요.`,
  },
  {
    kind: "Russian",
    tokens: 51,
    within: 0.25,
    text: `Этот навык превращает длинные записи встреч в короткие заметки. Сначала разделите текст по темам, затем перечислите решения и задачи с ответственными. Если дата неясна, спросите пользователя, а не угадывайте.`,
  },
  {
    kind: "Arabic",
    tokens: 49,
    within: 0.25,
    text: `تحول هذه المهارة محاضر الاجتماعات الطويلة إلى ملخص قصير. قسم النص أولا حسب الموضوع، ثم اكتب القرارات والمهام في قائمة. إذا لم يكن التاريخ واضحا فاسأل المستخدم ولا تخمن.`,
  },
  {
    kind: "emoji and symbols",
    tokens: 58,
    within: 0.25,
    text: `✅ Build passed → deploying 🚀
⚠️ 2 warnings, 0 errors ❌
├── src/
│   ├── index.ts
│   └── parse.ts
└── README.md — “read me first” … 🎉🎉
`,
  },
];
