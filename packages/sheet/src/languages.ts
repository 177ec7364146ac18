/**
 * The letters beyond ASCII with which names of a language are written, the frequent ones first. A
 * wrong encoding makes letters that no language has together.
 */
export const latinLanguages: readonly string[] = [
  "üöäß", // German
  "éèêçàïîôâëûùœ", // French
  "áéíóñúü", // Spanish
  "ãáçéíóêâõôúà", // Portuguese
  "àèìòùé", // Italian
  "öäåé", // Swedish, Finnish
  "øåæé", // Danish, Norwegian
  "ëéïèöü", // Dutch
  "áíéóöðúýþæ", // Icelandic
  "łżęśąćóńź", // Polish
  "íáéěčřšžýůúňťďó", // Czech
  "áíčéšžýúľťňóôäďĺŕ", // Slovak
  "áéöóőíüúű", // Hungarian
  "šćčžđ", // Croatian, Bosnian, Slovenian, Serbian
  "ăâîţşțș", // Romanian
  "ıüşçöğâîûi̇", // Turkish
  "šėžųčūįęą", // Lithuanian
  "āšīēņūļžčģķ", // Latvian
  "äõüöšž", // Estonian
  "\u0301\u0300\u0323\u0309\u0303âđăơêôưáàéèíìóòúùýãõ", // Vietnamese
];

/** Letters of other scripts, the frequent ones first. */
export const otherLanguages: readonly string[] = [
  "аикснорелутмдшпбязьгчвйфжюхцыёэщъ", // Russian
  "аиокрнсіелтмубвдпьшязїгчйжхцюєґщфё", // Ukrainian
  "αιορςσητνλεκμάίπύδφγόβέζθχυήώξωψϊϋΐΰ", // Greek
  "ילוהמשברנתאקפחדסצגטכזעםןךףץ", // Hebrew
  "اليمنروشسبةدكهعزوقتحجىصخطفغذضأثءؤآئظإ", // Arabic
  "ایرنمشپسدبهوکلتفگزقعحخجژچصغطضثذظ", // Persian
  "านมงกอเีลรยตสแ้ดว่ิทหโบะคใจปพขูุัฟไ็ชื์ณธฝซึศำญภผถษฎฐฉฬฑฒฮฏ", // Thai
];

/** Characters that names of animals often have, in languages of many characters. */
export const frequentCharacters = {
  ja: "ンーラコリモクルミロナマメタハチキサトプシレアココソイカノウフベジピッャポンゴムュすずくももちゃりんこなつあいはるさきみゆめそらたろうのひまわ太郎花子桜小次三美空海月星犬猫黒白茶一二大中",
  ko: "이나리초코보미두부콩사랑별해피백구누렁몽루비봄름밤토달하늘우유탄호순돌복설기자은진주키제니쿠다라마바가아지시오대로단무삐뽀까망치즈레모찌",
  zh: "小大白黑花毛球豆宝贝咪旺财点皮多乐奶糖米果可来福妞虎妮胖圆心雪灰黄橘布丁妹丫阿美丽星月喵旦安东西瓜蛋饼金银红蓝天哈吉龙马狗猫木子",
  "zh-Hant":
    "小大白黑花毛球豆寶貝咪旺財點皮多樂奶糖米果可來福妞虎妮胖圓心雪灰黃橘布丁妹丫阿美麗星月喵旦安東西瓜蛋餅金銀紅藍天哈吉龍馬狗貓木子",
};
