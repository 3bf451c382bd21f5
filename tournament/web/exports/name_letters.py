"""What names look like in the languages of each encoding: letters, usual names and characters."""

from collections.abc import Sequence
from typing import Final

LANGUAGES: Final[dict[str, Sequence[str]]] = {
    "cp1252": ("fr", "de", "da", "sv", "nb", "fi", "es", "pt", "it", "nl", "ca", "is"),
    "cp1250": ("pl", "cs", "sk", "hu", "sl", "hr", "ro", "bs"),
    "cp1251": ("ru", "uk", "be", "bg", "sr", "mk"),
    "cp1253": ("el",),
    "cp1254": ("tr",),
    "cp1257": ("lt", "lv", "et"),
}
ALPHABETS: Final = {
    "fr": "àâæçéèêëîïôœùûüÿ",
    "de": "äöüß",
    "da": "æøåéäöü",
    "sv": "åäöéü",
    "nb": "æøåéòôäö",
    "fi": "äöå",
    "es": "áéíñóúü",
    "pt": "áâãàçéêíóôõú",
    "it": "àèéìíòóù",
    "nl": "áéèëêïíóöü",
    "ca": "àçèéíïòóúü",
    "is": "áðéíóúýþæö",
    "pl": "ąćęłńóśźż",
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "hu": "áéíóöőúüű",
    "sl": "čšžćđ",
    "hr": "čćđšž",
    "ro": "ăâîşţ",
    "bs": "čćđšž",
    "tr": "çğıöşüiâ",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "et": "äõöüšž",
}
"""Letters beyond ASCII; for other languages, those of CLDR's names of territories."""
STRESSED: Final = frozenset({"ca", "es", "it", "nl", "pt"})
"""Languages where an accent on a vowel marks its stress, so that it may stand on any."""
NAMES: Final = {
    "fr": """
        Hélène Anaïs Zoé Joël Loïc Noël François Françoise Benoît Jérôme Gaël Lefèvre Gonçalves Bérénice
        Crépin Thérèse Solène Éric Aurélie Adèle Prévost Bûche Brûlé Dufrêne Guérin Maël Noémie nom prénom
        pays joueur adresse""",
    "de": """
        Jürgen Jörg Günter Björn Bärbel Käthe Müller Schäfer Köhler Weiß Groß Strauß Böhm Krämer Förster
        Götz nachname vorname land verein name spieler""",
    "da": """
        Søren Jørgen Bjørn Åse Bæk Kjær Nørgaard Højgaard Sørensen Præst Ågaard Mølgård efternavn fornavn
        land klub navn""",
    "sv": """
        Åke Åsa Björn Göran Gösta Håkan Märta Jörgen Örjan Sjöberg Öberg Åberg Lindström Söderberg Håkansson
        efternamn förnamn land klubb namn förening""",
    "nb": """
        Bjørn Øystein Håkon Pål Åse Sæther Bjørnstad Øvrebø Nygård Tønnesen Ødegård Brænd etternavn fornavn
        land klubb navn""",
    "fi": """
        Päivi Väinö Jyrki Mäkinen Hämäläinen Mäkelä Nieminen Hyvönen Räsänen Särkkä Töyrylä Yrjö sukunimi
        etunimi maa seura nimi""",
    "es": """
        José María Ángel Íñigo Iñaki Begoña Lucía Raúl Muñoz Núñez Ibáñez Pérez Gómez Sánchez Fernández
        García apellidos nombre país club asociación""",
    "pt": """
        João Inês António Luís Estêvão Conceição Gonçalo Magalhães Simões Guimarães Leitão Araújo Falcão
        apelido nome país clube""",
    "it": """
        Niccolò Nicolò Giosuè Noè Mosè Forlì Calì Alì Cantù Donà Foà Dalò Cannavò Andò Fundarò Patanè Però
        Carità Spanò Galà Laganà Scirè Macrì Vidè Patrù Papalì Maragò Calò Dodò Salomè Desirée Ercolè
        cognome nome paese nazione circolo""",
    "nl": """
        Daniëlle Zoë Loïs Noëlle Coëlho Michaël Renée Thérèse Chloé Anaïs achternaam voornaam land
        vereniging naam""",
    "is": "Guðrún Sigurðsson Þór Þórsdóttir Ægir Björk Jón Hrafnhildur Örn Ólafur Sigríður",
    "pl": """
        Małgorzata Łukasz Paweł Stanisław Michał Jędrzej Grażyna Bożena Wójcik Kamińska Zieliński Król
        Dąbrowski Błaszczyk Żak Żółtowska Ścibor Łucja Gałązka Górski Józef Róża Święch Źrebiec nazwisko
        imię kraj klub""",
    "cs": """
        Jiří Ondřej Tomáš Lukáš Luboš Zdeněk Václav Eliška Novák Dvořák Růžička Růžičková Procházka Němec
        Černý Šťastný Matěj Přemysl Řehoř příjmení jméno stát země klub""",
    "sk": """
        Ľubica Ľuboš Štefan Ján Matúš Žofia Kováč Kováčová Ďurica Horváth Ťažký Baláž priezvisko meno
        krajina klub""",
    "hu": """
        László Gergő Győző Jenő Ödön Örs Zsófia Réka Ágnes Péter Tóth Nagy Kovács Szűcs Hegedűs Kőszegi
        Győri Erdős Őze Bíró Bernadett Lőrincz Fülöp Dezső Tünde Balogh Szabó István vezetéknév keresztnév
        név ország egyesület""",
    "sl": "Žiga Matjaž Tomaž Urška Andraž Žižek Kovačič Kranjčič priimek ime država klub",
    "hr": "Željko Đurđa Krešimir Marić Đorđević Šarić Božić Ćosić prezime ime država klub",
    "ro": """
        Ştefan Ioniţă Cătălin Răzvan Mădălina Brâncuş Pătraşcu Ţepeş Niţă Moraru Dumitrescu Mureşan Bălan
        Crăciun Popescu Ionescu Niculescu Vlad Vasilescu Ţurcanu Şerban Ruxandra Mădălin Vlăduţ
        Constantinescu Georgescu Lăcrămioara Tănase Rădulescu nume prenume ţară club""",
    "tr": """
        Ayşe İbrahim Gülşen Uğur Kıvanç Çağrı Tuğba Şule Doğan Yıldız Yılmaz Öztürk Çağlar Şahin Işık Kılıç
        Aydın Güneş Gökçe Koç İpek Özgür Fırat Sıla Arslan Demir Çelik Yağmur Hüseyin Işıl Tuğrul Ilgaz
        soyadı adı ülke kulüp""",
    "lt": """
        Živilė Rūta Agnė Ramunė Žygimantas Ąžuolas Jurgis Kazlauskienė Žukauskas Šimkutė Jankauskaitė
        Butkevičius Vasiliauskienė Stankevičius Černiauskas Eglė Daiva Jūratė Petrauskas Jonas Šarūnas
        Žilvinas Šeškus Šimonis Žemaitis Jankus Norkus Kęstutis Vaičiulis Rytis Ričardas pavardė vardas
        šalis klubas""",
    "lv": """
        Jānis Mārtiņš Līga Kristīne Pēteris Bērziņš Kalniņš Ozoliņš Liepiņa Kļaviņa Krūmiņa Šķēle Zariņš
        Ģirts Žanis Dzintars Āboliņš Vītols Iļja Jēkabs Siliņa Petersons Kārlis Skuja Eglītis Liepa Sniedze
        Ieviņa Rozītis uzvārds vārds valsts klubs""",
    "et": """
        Jüri Tõnu Õie Ülle Mägi Pärn Kõiv Sõrmus Öpik Põder Jõgi Tõnisson Kütt Rõõm Sõber Lõhmus Mõttus
        Raudjõe Tõll Õunapuu Tamm Saar Sepp Kask Kukk Rebane Ilves Tõnis Märt Külli Kalev Rüütel Nõmm
        Sõnajalg perekonnanimi eesnimi riik klubi nimi""",
}
"""Usual names and headings, for pairs of letters that CLDR's names of territories do not have."""
FAMILY_NAMES: Final = {
    "gb18030": """
        王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎
        余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文欧""",
    "big5": """
        王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻
        余潘杜戴夏鍾汪田任姜范方石姚譚廖鄒熊金陸郝孔白崔康毛邱秦江史顧侯邵孟龍萬段雷錢湯尹黎易常武喬賀賴龔文歐""",
    "cp932": "佐鈴高田渡伊山中小加吉松井木林斎清阿森池橋石前藤岡長近村遠青坂福西太三原和竹金上後野菊大本久服安河",
    "cp949": "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지엄채원천방공현함",
}
"""Characters with which family names begin."""
FIRST_NAMES: Final = {
    "gb18030": """
        伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰文斌建国志晓东雨涵梅小龙海燕云飞鹏宇浩然子轩佳欣怡婷雪琳
        波辉红春生林永俊峰凯健鑫亮莉玲颖慧美梓萱思远天一博新民成才德光庆祥荣福贵""",
    "big5": """
        偉芳娜敏靜麗強磊軍洋勇艷傑娟濤明超秀霞平剛桂英華玉蘭文斌建國志曉東雨涵梅小龍海燕雲飛鵬宇浩然子軒佳欣怡婷雪琳
        淑惠美玲雅家豪俊宏嘉慧宗憲依冠廷承恩翰怡君詩柏思德銘啟賢榮瑋貞珍珠信義仁忠""",
    "cp932": """
        子美恵愛由香里奈真沙織菜月陽翔太郎一二三健拓也大輔直樹哲修誠智和弘博之介斗悠人春夏秋冬優花咲希彩雄司裕隆明
        幸男女吉助造保治正義信光純歩望""",
    "cp949": """
        민수지현서연영희철호준우진성은미경숙정순자상훈동석재원예린하윤주아유나태용기범규환혜선보라소은채빈도연시우
        승한솔별빛나래다인해찬혁웅형욱석훈섭식봉길만복남북""",
}
"""Characters of usual first names."""
