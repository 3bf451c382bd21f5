"""Columns of imported lists, by heading or content."""

import re
import unicodedata
from collections.abc import Sequence

from tournament.base.countries import find_country
from tournament.web.exports.whole_names import are_full_names, is_full_name

FIELDS = (
    *("number", "last_name", "first_name", "whole_name", "prefix", "second_name", "country", "ema_number"),
    *("team", "club", "email", "message"),
)
"""`prefix` stands before the last name: "van der", in a column of its own."""

HEADINGS: dict[str, str] = {
    "number": """
        number no nr num n nummer numéro numero número startnummer startnumber playernumber nº lp pořčíslo
        sorszám αα номер № 编号 編號 号码 號碼 序号 序號 选手编号 選手編號 番号 번호 순번 startnr startno sno
        srno číslo poř пп №пп aa ssz""",
    "last_name": """
        lastname last surname familyname family nomdefamille nachname familienname achternaam apellido apellidos
        cognome efternavn efternamn etternavn sukunimi nazwisko příjmení priezvisko vezetéknév családnév priimek
        prezime numedefamilie perekonnanimi uzvārds pavardė eftirnafn kenninafn apelido apelidos sobrenome
        cognom фамилия прізвище фамілія прозвішча презиме фамилно επώνυμο επίθετο soyadı soyad soyisim 姓 姓氏
        苗字 성 zuname primerapellido családinév últimonome 氏""",
    "first_name": """
        firstname first givenname givennames given forename prénom prénoms vorname rufname voornaam voornamen
        nombre fornavn förnamn etunimi imię imiona křestníjméno krstnémeno keresztnév utónév osobnoime prenume
        eesnimi vārds vardas eiginnafn primeironome nompropi имя имена ім’я іʼмя імя име собственоиме όνομα adı
        ad 名 名字 下の名前 nombredepila nomepróprio etunimet roepnaam""",
    "whole_name": """
        fullname player playername participant joueur spieler teilnehmer speler jugador jogador giocatore
        spiller spelare pelaaja zawodnik hráč játékos nomecompleto nombrecompleto nomecognome nomcomplet
        nameandsurname surnameandname surnamename surnamefirstname lastnamefirstname firstnamelastname nomprénom
        nometprénom prénometnom prénomnom vornachname vorundnachname nachundvorname namevorname vornamename
        nachnamevorname nombreyapellido nombreyapellidos apellidosynombre nomeecognome cognomeenome
        imięinazwisko nazwiskoiimię jménoapříjmení příjméníajméno menoapriezvisko imeinprezime imeprezime фио
        имяифамилия фамилияиимя фамилияимя піб прізвищетаімя ονοματεπώνυμο adsoyad adısoyadı 姓名 选手 選手
        选手姓名 選手姓名 参赛选手 參賽選手 氏名 名前 お名前 성명 선수 vorundzuname fulltnamn fuldtnavn
        fulltnavn kokonimi teljesnév numelecomplet naamspeler spelersnaam deelnemer deltager deltagare
        participante partecipante uczestnik участник účastník résztvevő osallistuja játékosneve nombredeljugador
        numeprenume priezviskoameno imeinpriimek priimekinime vārdsuzvārds vardaspavardė имяфамилия""",
    "prefix": """
        tussenvoegsel tussenvoegsels tussenv voorvoegsel voorvoegsels achternaamvoorvoegsel prefix infix
        surnameprefix lastnameprefix familynameprefix particle nobiliaryparticle namensvorsatz vorsatzwort
        particule""",
    "second_name": """
        secondname othername othernames furthername nameonbadge nameonthebadge nameforbadge nameforthebadge
        badgename nametag nametagname nickname alias aka alsoknownas displayname nativename localname
        originalname nameinnativescript nameinlocalscript nameinoriginalscript latinname nameinlatinscript
        nameinlatinletters romanisedname romanizedname englishname nameinenglish chinesename nameinchinese
        japanesename koreanname pinyin romaji deuxièmenom autrenom nomsurlebadge nomdebadge surnom pseudo
        pseudonyme nomlatin nomenchinois weiterername anderername zweiternamen nameaufdemschild
        nameaufdembadge nameaufbadge badgename namensschild spitzname pseudonym lateinischername
        chinesischername anderenaam naamopbadge naamopdebadge bijnaam otronombre nombreenlaidentificación
        nombreenlaacreditación apodo nombrelatino altronome nomesulbadge soprannome nomelatino andetnavn
        navnpåskilt navneskilt kaldenavn kallenavn annetnavn annatnamn namnskylt namnpåskylt smeknamn
        toinennimi muunimi nimikyltti nimilapussa lempinimi imięnaidentyfikatorze nazwanaidentyfikatorze
        pseudonim ksywa przydomek jinéjméno jménonavisačku jménonavisačce přezdívka inémeno menonavisačku
        prezývka másiknév másnév becenév névkitűző drugoime vzdevek nadimak altnume poreclă teinenimi
        hüüdnimi citsvārds iesauka kitasvardas slapyvardis annaðnafn gælunafn outronome nomenocrachá
        alcunha altrenom malnom другоеимя имянабейдже прозвище ник псевдоним имялатиницей латиницей
        іншеімʼя іншеім’я імянабейджі імʼянабейджі псевдонім прізвисько імялатиницею друготоиме прякор
        надимак другоиме άλλοόνομα ψευδώνυμο παρατσούκλι λατινικά takmaad lakap diğerad 其他姓名 另一姓名
        别名 別名 昵称 暱稱 绰号 綽號 英文名 英文姓名 英文名字 英语名 英語名 外文名 外文姓名 拼音 姓名拼音
        拼音姓名 汉语拼音 漢語拼音 拉丁名 拉丁字母姓名 中文名 中文姓名 中文名字 胸牌姓名 胸卡姓名 名牌姓名
        ニックネーム ローマ字 ローマ字氏名 英語表記 英字氏名 表示名 영문이름 영문명 영문성명 별명 로마자
        닉네임 다른이름""",
    "name": """
        name nom nome navn namn naam nimi jméno meno név ime nume nafn 이름 성함 имяигрока""",
    "country": """
        country countrycode nation nationality nat pays nationalité land nationalität staat staatsangehörigkeit
        país paese nazione nazionalità kraj ország země stát krajina država zemlja țara riik valsts šalis maa
        þjóð nationaliteit nationalitet narodowość kansalaisuus állampolgárság ülke uyruk χώρα страна країна
        держава държава 国家 國家 国籍 國籍 国家地区 國家地區 国 國 地区 地區 국가 국적 나라 naz државност
        državljanstvo гражданство""",
    "ema_number": """
        ema emanumber emanr emano emaid emacode emanummer numéroema numeroema nema noema nrema emanuméro
        emalicence emalicense emamember ema编号 ema編號 ema号码 ema號碼 ema号 ema號 numerema номерema emaszám
        emačíslo ema番号 idema emaregistration emaregistrationnumber emamembership emamembershipnumber
        matriculeema emaномер emanumer emalizenz""",
    "team": """
        team teamname équipe mannschaft equipo equipa equipe squadra ploeg hold lag joukkue drużyna csapat tým
        družstvo ekipa echipă komanda takım ομάδα команда отбор 队 隊 队伍 隊伍 团体 團體 团队 團隊 球队 球隊
        队名 隊名 代表队 代表隊 参赛队 參賽隊 チーム 팀 tím tim""",
    "club": """
        club clubs clubname clubverein verein vereinsname association clubassociation vereniging klub klubb
        klubnavn klubo förening forening kerho seura asociación associazione circolo egyesület spolek oddíl
        mahjongclub mahjongverein clube associação klubi klubs klubas félag kulüp dernek σύλλογος λέσχη клуб
        організація спілка 俱乐部 俱樂部 会所 會所 协会 協會 麻将俱乐部 麻將俱樂部 棋牌俱乐部 所属俱乐部
        所屬俱樂部 单位 單位 工作单位 所属单位 代表单位 所属 所屬 クラブ 団体 클럽 소속 단체 klubbnamn
        organisation organization stowarzyszenie 所属団体 clubmahjong združenie udruga spelklubb""",
    "email": """
        email emailaddress mail mailaddress courriel adressemail adresseemail emailadresse mailadresse correo
        correoelectronico correio posta epost epostadresse sahkoposti sähköposti adresemail elpaštas epasts
        netfang eposta почта элпочта электроннаяпочта электроннаяпошта пошта імейл имейл ηλεκτρονικόταχυδρομείο
        邮箱 郵箱 电子邮箱 電子郵箱 电子邮件 電子郵件 メール メールアドレス 이메일 epostadress postaelettronica
        emailcím електроннапошта contactemail""",
    "message": """
        message comment comments remark remarks notes note bemerkung bemerkungen anmerkung nachricht remarque
        remarques commentaire opmerking opmerkingen bemærkning anmärkning kommentar kommentarer nota notas
        observaciones observações uwagi poznámka megjegyzés opomba napomena примечание примечания комментарий
        примітка 备注 備註 留言 備考 비고 anmerkungen commentaires comentarios huomautuksia observação""",
    "sex": """
        sex gender sexe geschlecht geslacht sexo sesso genere køn kjønn kön sukupuoli płeć pohlaví nem spol пол
        стать cinsiyet φύλο 性别 性別 성별 mf mw mwd hf fm sugu dzimums lytis pohlavie""",
}
"""Headings by field, in many languages, as `folded` returns them but with accents.

"name" is resolved by the other columns: a first name beside last names, a last name beside first names.
"""
PLACE = """
    place pos position rank ranking platz rang place classement puesto posición posto lugar posizione plaats
    plass plats sijoitus miejsce umístění pořadí helyezés mesto место місце sıra θέση 名次 排名 順位 순위 pl
    class plassering placering plac sija rk rnk rg mjesto clas ranglistenplatz"""
"""Headings of a place in a ranking, which nobody reads."""


def folded(heading: str) -> str:
    """Return letters and digits without case and accents, as in HEADINGS: "N° EMA" → "nema"."""
    # The lower case of the Turkish I has no dot.
    plain = unicodedata.normalize("NFKD", heading.casefold().replace("ı", "i"))
    return "".join(char for char in plain if char.isalnum())


_SEPARATORS = re.compile(
    r"[/()\[\]|,;*·]+|(?<=[\u4e00-\u9fff])\s*(?=[^\W\u4e00-\u9fff])|(?<=[a-z])\s+(?=[\u4e00-\u9fff])"
)
"""Where to split a heading: at signs, and between Chinese and another script."""
_FIELD_OF = {folded(word): field for field, words in HEADINGS.items() for word in words.split()}
_PLACES = {folded(word) for word in PLACE.split()}


def field_of(heading: str) -> str:
    """Return the field that a heading names, or "name"; "" for none.

    The heading may be in two languages or have a remark: "Nom / Surname", "Club (if any)". A heading for both parts of
    a name is `whole_name`; 姓名(拼音) is a second name, 姓(拼音) a last name.
    """
    if heading.strip() == "#":
        return "number"
    if field := _FIELD_OF.get(folded(heading)):
        return field
    named = {_FIELD_OF.get(folded(part), "") for part in _SEPARATORS.split(heading)} - {""}
    if len(named) > 1:
        named -= {"name"}
    if "second_name" in named:
        named = {"second_name"} if named <= {"second_name", "whole_name"} else named - {"second_name"}
    if named == {"last_name", "first_name"}:
        return "whole_name"
    return named.pop() if len(named) == 1 else ""


def is_place(heading: str) -> bool:
    """Return whether a heading names a place in a ranking."""
    return folded(heading) in _PLACES


def known_headings(cells: Sequence[str]) -> int:
    """Return how many different fields the cells name."""
    return len({field_of(cell) for cell in cells} - {""})


def are_headings(cells: Sequence[str]) -> bool:
    """Return whether these cells are headings: if two are known, one is of names, or there are no other cells.

    A single known word among others may be a player called Land; with a number, a player called Name.
    """
    fields = [field_of(cell) for cell in cells]
    known = sum(map(bool, fields))
    of_names = bool({"last_name", "whole_name", "name"} & {*fields}) and not any(map(str.isdecimal, cells))
    return known >= 2 or of_names or known == sum(map(bool, cells))


def columns_by_heading(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the field of each column, each field once; "" for an unknown column."""
    width = max([len(headings), *map(len, rows)])
    columns: list[str] = []
    for field in _named_fields(headings):
        # The sex of players is known, so that it is not taken for anything else, but not stored.
        columns.append("" if field in columns or field == "sex" else field)
    columns += [""] * (width - len(columns))
    if "name" in columns:
        index = columns.index("name")
        columns[index] = _kind_of_name(columns, _cells(rows, index))
    if not {"last_name", "whole_name"} & {*columns} and "first_name" in columns:
        # "Nombre" alone is the whole name.
        columns[columns.index("first_name")] = "whole_name"
    for index, heading in enumerate([*headings, *[""] * (width - len(headings))]):
        if not heading or (not columns[index] and not is_place(heading)):
            columns[index] = _without_heading(index, columns, rows, heading)
    return columns


def _named_fields(headings: Sequence[str]) -> list[str]:
    """Return the field that each heading names. A second name is one only beside another name."""
    named = [field_of(heading) for heading in headings]
    if "second_name" in named and {"last_name", "whole_name", "name"}.isdisjoint(named):
        index = named.index("second_name")
        if "first_name" not in named:
            named[index] = "whole_name"
        elif folded(headings[index]) == "secondname":
            # "First name, second name": the last one.
            named[index] = "last_name"
    return named


def _kind_of_name(columns: Sequence[str], names: Sequence[str]) -> str:
    """Return what a column headed "Name" holds, by the other columns and its cells."""
    if "last_name" in columns:
        return "" if "first_name" in columns else "first_name"
    if "first_name" in columns:
        return "last_name"
    if "whole_name" in columns:
        return ""
    return "whole_name" if any(map(is_full_name, names)) or not names else "last_name"


def _without_heading(index: int, columns: Sequence[str], rows: Sequence[Sequence[str]], heading: str) -> str:
    """Return the field of a column whose heading is empty or unknown: by its cells, or the first name if it follows the
    last name and has no heading."""
    cells = _cells(rows, index)
    if (field := field_by_contents(cells)) or not _mostly(rows, cells):
        return "" if field in columns or (heading and field == "number") else field
    is_beside = index > 0 and columns[index - 1] == "last_name" and "first_name" not in columns
    return "first_name" if is_beside and not heading else ""


def columns_by_contents(rows: Sequence[Sequence[str]]) -> list[str]:
    """Guess the columns of a list without headings: EMA numbers, numbers, countries, names, then a team."""
    width = max(map(len, rows))
    columns: list[str] = []
    for index in range(width):
        field = field_by_contents(_cells(rows, index))
        columns.append("" if field in columns else field)
    texts = [
        index for index, field in enumerate(columns) if not field and not are_numbers(_cells(rows, index))
    ]
    if texts:
        # The first row may be one of unknown headings.
        is_whole = are_full_names(_cells(rows[1:], texts[0]) or _cells(rows, texts[0]))
        rest = ("team",) if is_whole else ("first_name", "team")
        for index, field in zip(texts, ("whole_name" if is_whole else "last_name", *rest), strict=False):
            columns[index] = field
    return columns


def are_numbers(cells: Sequence[str]) -> bool:
    """Return whether most cells are numbers, with decimals or not: points, places, telephones."""
    return bool(cells) and _mostly(
        cells, [cell for cell in cells if re.fullmatch(r"[-+−]?[\d .,/()]+", cell)]
    )


def field_by_contents(cells: Sequence[str]) -> str:
    """Return the field that most of these cells are of, if they show it; else ""."""
    if not cells:
        return ""
    if _mostly(cells, [cell for cell in cells if cell.isdecimal() and len(cell) in (7, 8)]):
        return "ema_number"
    if _mostly(cells, [cell for cell in cells if whole_number(cell) is not None and len(cell) < 6]):
        return "number"
    if _mostly(cells, [cell for cell in cells if "@" in cell]):
        return "email"
    if _mostly(cells, [cell for cell in cells if find_country(cell) is not None]):
        return "country"
    return ""


def whole_number(text: str) -> int | None:
    """Return the number in a cell: 7, also as "7.", "7)", "#7" or "No. 7"; None if there is none."""
    match = re.fullmatch(r"(?:#|n[o°º]\.?)? ?([0-9]{1,9})[.)]?", text, re.IGNORECASE)
    return int(match[1]) if match else None


def _mostly(cells: Sequence[object], hits: Sequence[object]) -> bool:
    return len(hits) * 4 >= len(cells) * 3


def _cells(rows: Sequence[Sequence[str]], index: int) -> list[str]:
    """Return a column's cells that are not empty."""
    return [row[index] for row in rows if index < len(row) and row[index]]
