/** Words of grammar, at which a run of Chinese is cut: in a catalog that is mostly English each would look rare. */
export const FUNCTION_WORDS =
  /一[个個下些]|什[么麼]|怎[么麼样樣]|可以|能不能|是不是|有[没沒]有|如何|[为為]什[么麼]|[现現]在|然[后後]|但是|因[为為]|所以|如果|需要|想要|使用|[进進]行|[没沒]有|[的了吗嗎呢吧啊呀嘛我你您他她它这這那哪们們请請帮幫把被就都也还還很太给給让讓个個]/u;

/** Characters of the traditional script, and below in the same order those of the simplified one. */
const TRADITIONAL = characters(`
  個們為這來時會說對開關過還進運動務業產發經營銷設計劃畫圖書寫讀語詞譯議論評審檢測試驗證認識
  記錄報導調詢問題錯誤壞損補複雜簡單雙極標準樣種類別項檔資數據庫網頁頭顯視覺點擊鈕鍵盤輸傳遞
  轉換變態機構結組織團隊員買賣價錢帳訂購貨費稅財險銀貸專長間週歷曆歲幾兩萬億總統圓線條連鏈絡
  無電話腦雲體軟應戶層級邏輯編碼執啟閉刪創製復備壓縮載權號鎖護衛風環參選擇篩尋優質緩隨訊郵聯
  繫筆學習課師練讓給幫請謝嗎麼誰裡裏麗從後現實際當歡樂愛聽觀眾氣車門馬魚鳥龍國華漢東廣場區縣
  鄉鎮島灣醫療藥術藝舊熱陽陰曬燈燒爐飛鐵鋼鋁銅針釘鏡錶裝褲帶處獲與並雖須願確義規則範圍縱橫擴
  張強斷續絕細節約紅綠藍黃顏豐異監戰競爭勢潛決滿夠較難純淨濟貿農訴訟許訪談該詳誌讚負責貢獻賴
  賬賞贏趨蹤軌輕輪辦遠適遷釋銳鍾鐘閱陣陸離靈響預領頻額養驅驟齊齒齡佈僅側偵債傷償儲兒內冊凍劇
  剛勞勝匯協卻厭吳啓嚴囉堅墊壽夢夾妝婦嬰孫寧寶將屬岡嶺幣幹廠廢廳彈彙徑徹恆惡惱慣慶憂懸戲拋掃
  掛採揚搶摺撥擁擔擬擺擾攝敗敵斂暫曉棄楊榮槍樓樹橋櫃欄歐殘殺氫沒況淚淺減渦溫滅滾漁漲漸潤澤濃
  濕災煙牆獎獨獵瓊畢盡睜矯礎禮禪稱穩積窮竅築簽籌籤糧糾紀紋納紙紹終絲綁維綱緊縫績繪繼罰羅聖聞
  聲職聰肅脅脫腸膚臉臨舉蘋蘭虛蟲見親覽觸訓託診詩誠誘誼諮諾謀講謙譜豬貝貧貴賀賓賽贈贊趕跡踐躍
  軍輔輩辭迴遲遺遊鄰釀鉛鍋鑑閃閒閘閥階隱雞靜頂順頓頗飄飯飲館駕駐騎騙驚骯髮鬆鬥鬧魯鮮鳳鴻麥黨
  齋`);
const SIMPLIFIED = characters(`
  个们为这来时会说对开关过还进运动务业产发经营销设计划画图书写读语词译议论评审检测试验证认识
  记录报导调询问题错误坏损补复杂简单双极标准样种类别项档资数据库网页头显视觉点击钮键盘输传递
  转换变态机构结组织团队员买卖价钱账订购货费税财险银贷专长间周历历岁几两万亿总统圆线条连链络
  无电话脑云体软应户层级逻辑编码执启闭删创制复备压缩载权号锁护卫风环参选择筛寻优质缓随讯邮联
  系笔学习课师练让给帮请谢吗么谁里里丽从后现实际当欢乐爱听观众气车门马鱼鸟龙国华汉东广场区县
  乡镇岛湾医疗药术艺旧热阳阴晒灯烧炉飞铁钢铝铜针钉镜表装裤带处获与并虽须愿确义规则范围纵横扩
  张强断续绝细节约红绿蓝黄颜丰异监战竞争势潜决满够较难纯净济贸农诉讼许访谈该详志赞负责贡献赖
  账赏赢趋踪轨轻轮办远适迁释锐钟钟阅阵陆离灵响预领频额养驱骤齐齿龄布仅侧侦债伤偿储儿内册冻剧
  刚劳胜汇协却厌吴启严啰坚垫寿梦夹妆妇婴孙宁宝将属冈岭币干厂废厅弹汇径彻恒恶恼惯庆忧悬戏抛扫
  挂采扬抢折拨拥担拟摆扰摄败敌敛暂晓弃杨荣枪楼树桥柜栏欧残杀氢没况泪浅减涡温灭滚渔涨渐润泽浓
  湿灾烟墙奖独猎琼毕尽睁矫础礼禅称稳积穷窍筑签筹签粮纠纪纹纳纸绍终丝绑维纲紧缝绩绘继罚罗圣闻
  声职聪肃胁脱肠肤脸临举苹兰虚虫见亲览触训托诊诗诚诱谊咨诺谋讲谦谱猪贝贫贵贺宾赛赠赞赶迹践跃
  军辅辈辞回迟遗游邻酿铅锅鉴闪闲闸阀阶隐鸡静顶顺顿颇飘饭饮馆驾驻骑骗惊肮发松斗闹鲁鲜凤鸿麦党
  斋`);

/** Common words of the work that skills do, in Chinese and English, for queries in the one and skills in the other. */
const GLOSSARY = `
  产品 product 设计 design 规划 plan 计划 plan 功能 feature 需求 requirement 用户 user
  客户 customer 市场 market 竞品 competitor 竞争 competitor 分析 analyze
  研究 research 优化 optimize 改进 improve 改善 improve 测试 test 用例 case
  缺陷 defect+bug 漏洞 vulnerability 错误 error 报错 error 异常 exception 调试 debug
  修复 fix 检查 check 审查 review 评审 review 审核 review+audit 审计 audit 代码 code
  重构 refactor 编程 programming 开发 development 程序 program 脚本 script
  函数 function 接口 api+interface 框架 framework 架构 architecture 模块 module
  组件 component 数据 data 数据库 database 查询 query 表格 table+spreadsheet
  图表 chart 报告 report 报表 report 文档 document 文件 file 文件夹 folder
  目录 directory 笔记 note 总结 summary 摘要 summary 翻译 translate 写作 writing
  文章 article 文案 copy 博客 blog 邮件 email 短信 sms 消息 message 通知 notification
  日志 log 监控 monitor 部署 deploy 发布 release+publish 上线 release 版本 version
  仓库 repository 分支 branch 提交 commit 合并 merge 冲突 conflict 迁移 migrate
  升级 upgrade 更新 update 安装 install 配置 configuration 设置 setting
  环境 environment 变量 variable 权限 permission 登录 login 注册 signup
  密码 password 密钥 key+secret 认证 authentication 授权 authorization
  安全 security 加密 encryption 隐私 privacy 合规 compliance 法律 legal
  合同 contract 网络 network 服务器 server 服务 service 客户端 client 浏览器 browser
  网页 web+page 网站 website 页面 page 前端 frontend 后端 backend 后台 backend
  移动端 mobile 手机 mobile 电脑 computer 桌面 desktop 终端 terminal 命令 command
  窗口 window 按钮 button 表单 form 布局 layout 样式 style 颜色 color 字体 font
  图标 icon 图片 image 图像 image 照片 photo 截图 screenshot 视频 video 音频 audio
  语音 voice 音乐 music 字幕 subtitle 动画 animation 交互 interaction 视觉 visual
  界面 interface+ui 响应式 responsive 无障碍 accessibility 体验 experience
  性能 performance 内存 memory 缓存 cache 并发 concurrency 线程 thread 队列 queue
  任务 task 流程 process+workflow 工作流 workflow 自动化 automation 定时 schedule
  项目 project 团队 team 管理 management 会议 meeting 日报 daily+report
  周报 weekly+report 进度 progress 预算 budget 财务 finance 发票 invoice
  支付 payment 订单 order 价格 price 销售 sales 营销 marketing 广告 advertising
  品牌 brand 增长 growth 留存 retention 转化 conversion 策略 strategy 战略 strategy
  商业 business 创业 startup 简历 resume 招聘 hiring 面试 interview 学习 learn
  教程 tutorial 课程 course 培训 training 考试 exam 论文 paper 文献 literature
  模型 model 训练 train 微调 tune 提示词 prompt 智能体 agent 机器人 bot 对话 conversation
  知识库 knowledge 搜索 search 检索 search+retrieval 爬虫 crawler+scrape
  抓取 scrape 下载 download 上传 upload 备份 backup 恢复 recover+restore 清理 clean
  删除 delete 复制 copy 转换 convert 导出 export 导入 import 生成 generate 创建 create
  编写 write 编辑 edit 解释 explain 验证 verify 评估 evaluate 比较 compare
  对比 compare 统计 statistics 可视化 visualization 演示 presentation 幻灯片 slides
  模板 template 插件 plugin 扩展 extension 工具 tool 技能 skill 依赖 dependency
  容器 container 集群 cluster 云端 cloud 链接 link 地图 map 天气 weather 日历 calendar
  游戏 game 医疗 medical 健康 health 教育 education 硬盘 disk 磁盘 disk 空间 space
  路径 path 正则 regex 格式 format 压缩 compress 事故 incident 故障 incident+failure
  复盘 retrospective+postmortem 根因 cause 头脑风暴 brainstorm 想法 idea 点子 idea
  痛点 pain 定位 positioning 目标 goal 路线图 roadmap 原型 prototype 文本 text
  标题 title 关键词 keyword 社交 social 新闻 news 小说 novel 故事 story`;
const LONGEST = 4;

let simplifiedOf: ReadonlyMap<string, string> | undefined;
let englishOf: ReadonlyMap<string, readonly string[]> | undefined;

/** The same in simplified characters, as far as they are common. */
export function toSimplified(text: string): string {
  const table = (simplifiedOf ??= new Map(
    TRADITIONAL.map((character, i) => [character, SIMPLIFIED[i] ?? character]),
  ));
  return text.replace(/[\u4e00-\u9fff]/g, (character) => table.get(character) ?? character);
}

/** English words for the Chinese ones in a text, which is in simplified characters. */
export function englishWords(text: string): string[] {
  const table = (englishOf ??= readGlossary());
  const words: string[] = [];
  for (const [run] of text.matchAll(/[\u4e00-\u9fff]{2,}/g)) {
    for (let i = 0; i < run.length;) {
      const length = matchLength(run, i, table);
      words.push(...(table.get(run.slice(i, i + length)) ?? []));
      i += Math.max(1, length);
    }
  }
  return words;
}

function matchLength(run: string, start: number, table: ReadonlyMap<string, unknown>): number {
  for (let length = LONGEST; length >= 2; length--) {
    if (table.has(run.slice(start, start + length))) return length;
  }
  return 0;
}

function readGlossary(): Map<string, readonly string[]> {
  const words = GLOSSARY.trim().split(/\s+/);
  return new Map(
    words.flatMap((word, i) => (i % 2 === 0 ? [[word, (words[i + 1] ?? "").split("+")]] : [])),
  );
}

function characters(text: string): string[] {
  return text.replace(/\s/g, "").split("");
}
