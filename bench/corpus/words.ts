/** The vocabulary of generated skills. */
export const words = {
  verbs: list(
    "create review extract convert validate deploy summarise analyse format merge translate test",
    "refactor monitor schedule search document migrate debug profile render classify rename sign",
  ),
  adjectives: list(
    "structured secure large nested reusable scanned incremental weekly broken signed tabular",
    "multi-step read-only third-party production-ready legacy local encrypted minimal typed",
  ),
  nouns: list(
    "report spreadsheet invoice endpoint pipeline dashboard schema changelog contract certificate",
    "container migration component prompt meeting dataset notebook release incident transcript",
    "calendar ticket repository workflow landing-page translation queue template backup index",
  ),
  tools: list(
    "Postgres Terraform Kubernetes React PDF CSV Markdown Playwright Redis GraphQL OAuth GitHub",
    "Docker SQLite Figma Stripe OpenAPI Grafana Python TypeScript Excel Jira Slack Webhook",
  ),
  endings: list("helper expert automation builder reviewer toolkit guide patterns audit sync"),
  authors: list("acme-labs northwind jane-doe skill-guild openworks blue-harbour k.tanaka"),
  /** Two characters each, so that any sequence reads like a heading. */
  chinese: list(
    "创建 分析 文档 报告 数据 接口 测试 部署 代码 审查 翻译 图表 任务 项目 配置 检索 生成 模板",
  ),
  emoji: list("🚀 📊 ✅ 🔒 🧪 📝 ⚙️ 🎨"),
} as const;

function list(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}
