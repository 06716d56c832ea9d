/** Names that are not Russian, with a gender only where it is clear: first Cyrillic spellings, then Latin ones. */
const listOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Names whose gender `ru-names` lacks or has wrong: Kazakh, Kyrgyz, Uzbek, Tajik, Tatar, Caucasian, Ukrainian,
 * Belarusian and Western names.
 */
export const PEOPLES_MALE = listOf(`
  абай абдул абдулла абдурахман абу адилет азамат азиз азизбек айбек айдос айтуган акбар акмаль алдияр алесь али
  алибек алим алмас альберт аляксандр аляксей амин амир амирхан анатолій анвар андрэй андрій ансар ануар арлан арман
  армен арсен арсеній артак артемій асан аскар асхат ахмад ахмед ахмет аюб баур бауыржан бахром бахтияр бейбит
  бекболат бекжан бекзат бекзод бенджамин бесо бобур богдан ботир булат в'ячеслав ваган ваге ваграм вадим вазген
  валерій василь вильям володимир вячеслав віктор віталій гаджи галым гамлет ганс гарегин гарри гела геннадій генри
  гор гоча грачья григорій гурам гурген давит давити даврон дамир данило даниял данияр дархан дато даулет даурен
  дем'ян джамал джамшид джахонгир джеймс джек джон джордж дзмітрый дидар диего дильшод диёр дмитро достон ерасыл ержан
  еркебулан ерлан ермек есен жан жандос жаслан жасур жасурбек жахонгир жомарт завен заза заур зафар зелимхан зураб
  ибрагим идрис ильхам ильяс иракли иса ислам исмаил исмоил кайрат камол канат каныбек карим карлос касым кирило коба
  комил костянтин лаша леван левко лесь лечи луиджи лукас магомед магомет мадияр майкл макс максат максим малик мансур
  марат марио маркіян марсель мартин матвій махмуд махмут мгер мейрам мелис мераб мигель микита микола мирас михайло
  михо мкртич мурад мурат муса муслим мустафа мухамад мухамед мухаммад мухаммед мухтар мушег мікалай наджим назар
  назарій нарек нодар нодир нозим нугзар нурбек нурболат нуржан нурик нурислам нурлан нурсултан нұрлан нұрсұлтан олег
  олександр олексій олжас оливер омар ондрій ориф остап отабек отар отто оюб павло педро петро питер пьер раджаб
  рамзан рамиз расул рауф рафаел рафаэль рафик рахим рашид реваз резо ренат ринат ричард роберт роман рустам рустамжон
  рустем сабир саид саидбек саламат сандро санжар саргис сардор святослав сергій сосо степан стив стивен сулейман
   сухроб сяргей талгат тамази тамерлан тарас темирлан темур тимофій тимурлан тлек толеген том томас турар
  уильям улан улугбек умар умид умиджон усман фабио фаррух фархад фарход фирдавс фриц хабиб хамза хасан хачик хосе
  хуан хуго хусан хусейн чарльз шавкат шалва шамиль шамсуддин шахзод шерзод шота шохрух элгуджа элдияр эльгуджа эльдар
  эльнур эмин эмир эрик юнус юрко юрій юсуф якуб яків янка ярослав яшар євген євгеній іван ігор ілля қайрат қанат
  ҳасан әли`);

export const PEOPLES_FEMALE = listOf(`
  агнія аиша айгерим айгуль айгүл айжан айзада айзат айлин айша айшат акмарал алевтина алена алия алсу алтынай амина
  аминат анаит анара анастасія анель анеля антоніна арайлым аружан асель асем асия асмик астхик аяна аяулым
  барно бегайым бибигуль ботагоз бритни валентина валерія варвара вардуи вольга вікторія віра галина ганна гаяне
  гоар грейс гузаль гузель гулбахор гулжан гулзира гулноза гулнора гулчехра гульжан гульзат гульназ гульнар гульшат
  гюзель гюнай гүлмира гүлнар гүлнара дарина дарія дженнифер джессика джулия дилбар дилдора дилноза дилором дильноза
  дильфуза динара долорес діана жазира жаклин жанар жанель жансая жулдыз жұлдыз зайнаб зарема зарина зебо зилола зиёда
  злата зулейха зульфия зухра зінаїда изабель ирода ия кадрия камила камшат кармен катерина кейт кетеван кетеванна
  кетино ксенія кундуз кіра лазиза лали лалита лейла лейсан лела леся лилит линда лия лола лусине любов людмила люси
  ляззат ляйсан лідія лілія мавлуда мадина мадлен мака малика манана маргарита мариам марина мариям марьям маріанна
  марійка марія мафтуна меланія мехрибан мехринисо мзия милана моника мохира мунира муниса муслима мэри мээрим
  надира надія назгуль назерке назира нана нани наргиз наргиза наринэ натали наталка наталля наталія натела нателла
  натия нафиса нигина нигора николь нилуфар нино нодира нозима нурай нуриза нурия ніна оксана олександра олена олеся
  ольга орися паола паризод патимат перизат поліна разият раушан раїса роксолана рузанна румия русудан
  сабина сабрина саида саломе салтанат самал сания сара сатеник сауле святлана світлана севара севиль севинч
  сирануш соломія софи софико софія тамар тамрико тамуна татевик тахмина таццяна таїсія теа теона тетяна толгонай
  уляна умеда умида фарзона фарида фатима фатимат феруза фируза хава хадижа хадижат халима ханна хатидже хатуна
  хуршида циала цира чолпон чулпан шарлотта шахзода шахло шахноза шахризода ширин шоира шохида эка элизабет элис
  эльвира эльмира эльнура эмили энн эркеайым этери эшли юлдуз юлія яніна ярина єва євгенія єлизавета іванна інна ірина
  әлия әсел`);

/**
 * Words without a clear gender, even if the packages list one: both genders, an ordinary word, a place, or the genitive
 * of another name.
 */
export const UNDECIDED: ReadonlySet<string> = new Set(
  listOf(`
    август адель айнур амата амок аполлон апраксин ара ардак ария артемида аста астра ата беата беслан валенсия веста
    вестита вива викторина вила вит виталика воля газель гали гая георгина гера гея гортензия градислава грант
    гремислав дания денница дея дигна динар дия донара донат дук-ваха зара зари звезда ива идея измайлово илиа илия
    ильина иола кама капик ким кима кир конкордия корнелия купава ландыш леда ленина липатия лира лота лукьянова мавр
    маврикий магна май македон малина марин марка марьина матрона мая меркурий микис милан милий мина млада муза
    мушфиг нада нил нила нимфа новелла нора нур октавия олимпиада паллада пальмира победа правдина радость рема рюрик
    салтан сатира сила сира сиринь сократ сола спартак султан талия тарон тигрия фантика фея филиппин флора флоренция
    флорида хон цвета шапи элита эллада эра юнона`),
);

/** Endings that Turkic, Persian and Arabic names share. They apply only to long words, which excludes "узбек". */
export const PEOPLES_MALE_ENDINGS = [
  'бек',
  'берген',
  'улла',
  'улло',
  'уллох',
  'уддин',
  'иддин',
  'утдин',
  'мурат',
  'жон',
];
export const PEOPLES_FEMALE_ENDINGS = ['гуль', 'гүл', 'бегим', 'нисо'];
export const SHORTEST_WITH_ENDING = 6;

/** Latin names that are common in many countries: they show the gender, but not that the name is Russian. */
export const INTERNATIONAL_MALE = listOf(`
  abdulla abdullah adam adrian ahmad ahmed airat akmal albert alexander alexandr alexandre ali alisher andrew andrii
  andriy anthony anton anvar aram armen arthur artur ashot askar aydar ayrat azamat aziz bekzod ben benjamin bobur
  bogdan botir brian carlos charles christian damir daniel danil daniyar david denis dennis diego dilshod dmytro
  eduard edward elchin elnur emre eric erik erlan farruh farrux felix filip fritz george giorgi giovanni gor hans
  harry hasan hassan hayk henry hugo husan ibrahim ildar islom ismail ivo jack jacques james jamshid jasur javohir
  john jose joseph juan julian kevin leon lev levan luca lucas luis luka lukas magomed maksim marat marc marco
  mario mark martin matthew max maxim mehmet michael miguel milan mohamed mohammad mohammed muhammad muhammed mustafa
  mykhailo mykola narek nicholas nicolas nikolas nodir nurlan nursultan oleksandr oleksii oliver omar oscar otabek
  otto patrick paul pavlo pedro peter petro philip philipp pierre ramazan ramil rashad renat richard rinat robert
  roman ruslan rustam rustem samuel sanjar sardor sebastian serhii serhiy shahzod shamil sherzod simon stefan stephan
  stephen steve steven suren taras temur thomas tigran timur tom ulugbek umar vakhtang vasyl victor viktor volodymyr
  william yerlan yurii yusuf zaur zurab`);

export const INTERNATIONAL_FEMALE = listOf(`
  ada aigerim aigul aisha alexandra alfiya alina aliya amanda amina anahit angela angelica angelika angelina anita
  anja ann anna anne annie asel assel aygul barbara camila camilla carmen carolina caroline catherine charlotte
  christina christine clara cristina daria diana dilnoza dina dinara dora elena eleonora elisabeth elizabeth ella
  elmira elsa elvira emilia emily emma eva evelina fatima feruza francesca gabriela gayane giorgia giulia gloria grace
  gulnara gulnoza guzel hannah helen helena inga irma iryna isabella jane janna jennifer jessica julia juliana julie
  kamila kamilla karina karolina kate katerina katherine kathrin katrin khrystyna kira klara kristina lana lara larisa
  laura leila lena leyla liana lidia lilia liliana lilit lily lina linda lisa liza lola lucia lucy luisa lusine madina
  magda malika margarita maria mariam mariana marianna marie marina marta martha mary melissa mia michelle mila milana
  milena mira monica monika nadia narine natali natalia natalie nataliia nicole nigora nilufar nina nino nora olena
  olivia paola patricia paula pauline pola rebecca regina renata rita roxana ruth sabina sabrina sandra sara sarah
  sevara silvia simona sofia sofie solomiia sonia sonja sonya sophia sophie stella stephanie susanna svitlana tamar
  tamara tanja teresa tetiana tina valentina valeria vanessa vera veronica veronika victoria viktoria viola virginia
  yana yuliia zara zarina`);

/** Latin spellings that equal a Western name of the other gender, or an ordinary word. */
export const UNDECIDED_LATIN: ReadonlySet<string> = new Set(
  listOf(`
    alex alia alka andrea angel ania anka asia aska chris dan dana dema den elia firs gala ia ian inka iya jan jean
    karen karp kim lada lavr leia leva leya lora mama mara nata naum nika nikki polya rada raia roma sema serge sima
    sofa taia tata tema tima toma tosha vita vlas xana ya yan`),
);

/** Words that show that the following name is not the account's own: a business, a place, a negation, a case ending. */
export const NOT_A_PERSON: ReadonlySet<string> = new Set(
  listOf(`
    салон магазин студия кафе ресторан бар доставка такси город улица школа клуб канал бот группа центр отель гостиница
    ателье мастерская агентство компания фирма ооо ип аптека клиника стоматология фонд храм монастырь озеро река газета
    радио команда сайт поддержка служба не для от с со у без за про из из-за к ко о об люблю ненавижу жду хочу верю ищу
    shop store studio salon cafe bar bot channel group team club hotel clinic support official not for i love`),
);

/** Words before a name that show the gender by themselves. The name after them may be a child's, in the genitive. */
export const KIN: ReadonlyMap<string, 'male' | 'female'> = new Map([
  ...listOf('мама мамочка мамуля жена бабушка баба тетя тетушка тетка сестра дочь дочка девушка невеста').map(
    (word) => [word, 'female'] as const,
  ),
  ...listOf('папа папочка муж дед дедушка дядя дядька брат сын парень жених').map((word) => [word, 'male'] as const),
]);
