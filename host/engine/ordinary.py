"""Pure: words that people write in English. In: nothing. Out: a set of them; none of these is a slip of the pen.

The 8,000 commonest of three letters and more in film subtitles, as pyspellchecker lists them (MIT), and beside them
common first names: a signature is no slip either.
"""

ORDINARY_WORDS = frozenset(
    """
abandon abandoned abandoning abdominal abducted abide abilities ability able abnormal aboard abort abortion about
above abroad absence absent absolute absolutely absorb absorbed absurd abuse abused academic academy accent accept
acceptable accepted accepting accepts access accessed accessory accident accidental accidentally accidents
accommodate accompanied accompany accomplice accomplish accomplished according account accountant accounted
accounting accounts accurate accusations accuse accused accusing accustomed ace achieve achieved acid acknowledge
acquaintance acquainted acquire acquired acres across act acted acting action actions activate activated active
activities activity actor actors actress acts actual actually acute adapt adapted add added addict addicted addiction
adding addition additional address addressed addresses addressing adds adjust administration administrative admiral
admire admired admiring admission admit admits admitted admitting adopt adopted adoption adorable adore adored
adrenaline adrian ads adult adults advance advanced advantage adventure adventures advertising advice advise advised
aerial affair affairs affect affected affecting affection affects afford afraid african after again against age aged
agencies agency agenda agent agents ages aggression aggressive ago agony agree agreed agreeing agreement agrees ahead
aid aim aimed aiming air aircraft airline airplane airport aisle alarm alarms album alcohol alcoholic alert alibi
alien aliens alike alive all allegations alleged allegiance allergic alley alliance allies allow allowed allowing
allows ally almost alone along alongside alpha already alright also altar alter altered alternate alternative
although altitude altogether always amateur amazed amazing ambassador ambition ambitious ambulance ambush ambushed
amen american americans ammo ammunition among amongst amount amounts amuse amusement amusing analysis analyze
ancestors anchor ancient and angel angels anger angle angry animal animals ankle anniversary announce announced
announcement announcing annoy annoyed annoying annual anonymous another answer answered answering answers ant
anticipate anticipated antidote antique ants anxiety anxious any anybody anymore anyone anything anytime anyway
anywhere apart apartment apartments ape apologies apologize apologized apologizing apology apparent apparently appeal
appear appearance appeared appearing appears appetite applause apple apples application applied applies apply
applying appoint appointed appointment appreciate appreciated appreciates appreciation approach approached approaches
approaching appropriate approval approve approved approximately arab architect are area areas argue argued arguing
argument arguments arm armed armies armor armored arms army around arrange arranged arrangement arrangements
arranging arrest arrested arresting arrests arrival arrive arrived arrives arriving arrogant arrow arrows art article
articles artificial artillery artist artistic artists arts ash ashamed ashes asian aside ask asked asking asks asleep
aspect aspects ass assassin assassinate assassination assassins assault assaulted assemble assembled assembly asses
assess assessment asset assets asshole assholes assign assigned assignment assist assistance assistant associate
associated associates association assume assumed assuming assumption assure assured asteroid astonishing astronaut
astronauts asylum ate athletic atmosphere atom atomic attach attached attack attacked attacking attacks attempt
attempted attempting attempts attend attended attending attention attic attitude attorney attract attracted
attraction attractive attracts auction audience audio audition aunt australian authentic author authorities authority
authorization authorize authorized auto automatic automatically automobile autopsy autumn auxiliary available avenge
average avoid avoided avoiding await awaiting awaits awake award awarded awards aware away awesome awful awfully
awkward axe babe babies baby babysit bachelor back backed background backing backs backstage backup backwards
backyard bacon bacteria bad badge badly bag baggage bags bail bailed bait bake baked baking balance balcony bald ball
ballet ballistics balloon balls bamboo ban banana band bandage bandits bands bang banged banging banished bank
banking banks banned banner banquet bar barbecue barber bare barely bargain barge bark barking barn barracks barrel
barrels barrier bars bartender base baseball based basement bases bash basic basically basis basket basketball bass
bastard bastards bat batch bath bathe bathing bathroom bats battalion batteries battery batting battle battlefield
battles battling bay beach beacon beam bean beans bear beard bearing bears beast beasts beat beaten beating beats
beautiful beautifully beauty became because become becomes becoming bed bedroom beds bedtime bee beef been beep
beeping beeps beer beers bees before beg began begged begging begin beginning begins begun behalf behave behaved
behaving behavior behind behold being beings belgian belief beliefs believe believed believes believing bell bells
belly belong belonged belonging belongs beloved below belt bench bend bending beneath benefit benefits bent beside
besides best bet betray betrayal betrayed betraying bets better betting between beyond bible bicycle bid bidding big
bigger biggest bike bill billion billions bills billy bin bind biological biology bird birds birth birthday bishop
bit bitch bitches bite bites biting bits bitten bitter bizarre black blacked blackmail blackmailing blacks blade
blades blah blame blamed blames blaming blank blanket blast blasted blasting bled bleed bleeding blend bless blessed
blessing blessings blew blind blinded blink block blocked blocking blocks bloke blond blonde blood bloody bloom blow
blowing blown blows blue blues blunt board boarded boarding boards boat boats bob bodies bodily body bodyguard boil
boiled boiling bold bolt bomb bombed bomber bombers bombing bombs bond bonds bone bones bonus boobs boogie book
booked booking books boom boost boot booth boots booty booze border borders bore bored boring born borrow borrowed
borrowing boss bosses both bother bothered bothering bothers bottle bottled bottles bottom bottoms bought bounce
bounced bouncing bound boundaries bounty bow bowl bowling box boxes boxing boy boyfriend boys bra brace bracelet brag
bragging brain brains brake brakes branch branches brand brandy brass brat brave bravery brazilian breach bread break
breakdown breakfast breaking breaks breakthrough breast breasts breath breathe breathing bred breed breeding breeze
bribe brick bricks bridal bride bridge bridges brief briefcase briefing bright brighter brightest brilliant bring
bringing brings brink british broad broadcast broadcasting broke broken broom brother brothers brought brown bruise
bruises brush brutal brutally bubble bubbles buck bucket buckle bucks buddies buddy budget buffalo bug bugger bugging
bugs build building buildings builds built bull bullet bullets bullied bullshit bully bum bump bumped bumper bunch
bundle bunk bunker bunny burden bureau burger burial buried burn burned burning burns burnt burst bursting bury
burying bus buses bush business businesses businessman bust busted busting busy but butcher butt butter butterfly
button buttons butts buy buyer buying buys buzz buzzing bye bypass cab cabin cabinet cable cage cake cakes calculate
calculated calculations calendar caliber call called caller calling calls calm calmed came camel camera cameras camp
campaign camping camps campus can canadian cancel canceled cancelled cancer candidate candidates candle candles candy
cane canned cannon cannot cans cant canvas cap capable capacity capital capsule captain captive capture captured car
carbon card cardiac cardinal cards care cared career careful carefully careless cares cargo caring carnival carpet
carriage carried carrier carries carry carrying cars cart cartel cartoon carve carved case cases cash casino cast
casting castle casual casualties cat catch catches catching category catholic cats cattle caught cause caused causes
causing caution cavalry cave caves cease ceiling celebrate celebrated celebrating celebration celebrity cell cellar
cellphone cells cellular cement cemetery cent center central cents centuries century cereal cerebral ceremony certain
certainly certificate certified chain chained chains chair chairman chairs chalk challenge challenged challenges
challenging chamber chambers champagne champion championship chance chances change changed changes changing channel
channels chanting chaos chap chapel chapter character characters charge charged charges charging charity charlie
charm charming chart charter charts chase chased chasing chat chatter chattering chatting cheap cheaper cheat cheated
cheating check checked checking checks cheek cheeks cheer cheerful cheering cheers cheese chef chemical chemicals
chemistry cherish cherry chess chest chew chewed chewing chick chicken chickens chicks chief child childhood childish
children chili chill chilly chin chinese chip chips chirping chocolate choice choices choir choke choked choking
choose chooses choosing chop chopped chopper chopping chorus chose chosen christ christian christians christmas
chronic chuck chuckles chuckling chunk church cigar cigarette cigarettes cinema circle circles circling circuit
circuits circumstances circus cities citizen citizens city civil civilian civilians civilization civilized claim
claimed claiming claims clan clap clarify class classes classic classical classified classroom classy claw claws clay
clean cleaned cleaner cleaning clear clearance cleared clearer clearing clearly clears clerk clever click clicking
clicks client clients cliff climate climb climbed climbing cling clinic clinical clip cloak clock clone close closed
closely closer closes closest closet closing cloth clothes clothing cloud clouds clown clowns club clubs clue clues
clumsy coach coal coast coat coats cocaine cock cocks cocktail coconut code coded codes coffee coffin coin
coincidence coins coke cold collapse collapsed collar collateral colleague colleagues collect collected collecting
collection collective college collision colonel colony color colored colorful colors column com coma comb combat
combination combine combined come comedy comes comet comfort comfortable comforting comic coming command commanded
commander commanding commands commence comment comments commercial commission commissioned commissioner commit
commitment committed committee committing common commonly communicate communicating communication communications
communist communists community companies companion company compare compared comparing compartment compass compassion
compelled compelling compensate compensation compete competing competition competitive complain complained
complaining complaint complaints complete completed completely complex complicated compliment compliments composed
compound compromise compromised computer computers comrade comrades con conceal concealed conceived concentrate
concentrated concentration concept concern concerned concerning concerns concert conclude concluded conclusion
concrete condemn condemned condition conditions condo condom conduct conducted conducting conference confess
confessed confession confidence confident confidential confined confirm confirmation confirmed confirming confirms
confiscated conflict confront confronted confuse confused confusing confusion congratulate congratulations connect
connected connecting connection connections connects conquer conquered conscience conscious consciousness consent
consequences conservative consider considerable consideration considered considering considers consistent console
conspiracy constable constant constantly constructed construction consult consultant consulting consume consumed
contact contacted contacting contacts contain contained container containing containment contains contempt content
contents contest continent continue continued continues continuing continuous contract contracted contracts contrary
contribute contribution control controlled controlling controls controversial convenience convenient convention
conventional conversation conversations convert converted convey convict convicted conviction convince convinced
convincing convoy cook cooked cookie cookies cooking cooks cool cooler coolest cooling cooperate cooperation
coordinate coordinates cop cope copied copies copper cops copy coral cord core corn corner corners coroner corporal
corporate corporation corporations corpse corpses correct corrected corridor corrupt corrupted corruption cos cosmic
cost costing costs costume costumes cottage cotton couch cough coughing could council counsel counselor count counted
counter counting countless countries country counts county coup couple couples courage courageous courier course
court courtesy courtroom courts cousin cousins cover coverage covered covering covers covert cow coward cowardly
cowboy cows cozy crab crack cracked cracking cracks cradle craft crank crap crappy crash crashed crashing crate crawl
crawled crawling craziest crazy cream create created creates creating creation creative creature creatures credit
creek creep creeping creeps creepy crew crews cricket cried cries crime crimes criminal criminals cripple crippled
crisis critical criticize critics crooked crop crops cross crossed crosses crossing crow crowd crowded crowds crown
crucial crude cruel cruise cruising crush crushed crushing cry crying crystal cue cuff cuffs cult cultural culture
cultures cunning cunt cup cups cure cured curiosity curious curly currency current currently curse cursed curtain
curtains curve custody custom customer customers customs cut cute cutest cuts cutting cycle dad daddy dagger daily
dam damage damaged dame damn damned dance danced dancer dancers dances dancing danger dangerous dangers dare dared
dares daring dark darker darkest darkness darling darn dash data database date dated dates dating daughter daughters
dawn day daylight days dead deadline deadly deaf deal dealer dealers dealing deals dealt dean dear dearest dearly
death deaths debate debris debt debts decade decades deceased deceive deceived decency decent decide decided decides
deciding decision decisions deck declaration declare declared decline decorate decorated dedicate dedicated
dedication deed deeds deemed deep deeper deepest deeply deer defeat defeated defend defendant defended defending
defense defensive define defined definite definitely definition defy degree degrees del delay delayed delete deleted
deliberately delicate delicious delight delighted delightful deliver delivered delivering delivery demand demanded
demanding demands democracy democratic demon demons demonstrate demonstration den denied denies dense dental dentist
deny denying depart departed department departure depend depended dependent depending depends deploy deployed deposit
depressed depressing depression depth depths deputy descend descended describe described describes describing
description desert deserted deserve deserved deserves design designated designed designer designs desire desired
desires desk despair desperate desperately despise despite dessert destination destined destiny destroy destroyed
destroying destroys destruction destructive detail detailed details detained detect detected detective detectives
detention determination determine determined detonate devastated devastating develop developed developing development
device devices devil devils devote devoted devotion diagnosed diagnosis dial dialogue diamond diamonds diary dice
dick dicks dictate did die died dies diet difference differences different differently difficult difficulties
difficulty dig digging digital dignity dim dime dimension dine diner ding dining dinner dinosaur dinosaurs dip
diplomatic dire direct directed directing direction directions directly director directors dirt dirty disable
disabled disagree disappear disappearance disappeared disappearing disappears disappoint disappointed disappointing
disappointment disarm disaster discharge discharged discipline disclose disco discount discover discovered
discovering discovery discreet discuss discussed discussing discussion disease diseases disgrace disguise disguised
disgust disgusting dish dishes disk dislike dismiss dismissed disobey disobeyed disorder dispatch display disposal
dispose dispute disregard disrespect disrupt distance distant distinct distinguish distinguished distract distracted
distraction distress distribute distribution district disturb disturbance disturbed disturbing ditch ditched dive
divert divide divided divine diving division divorce divorced dizzy doc dock docking doctor doctors document
documentary documents does dog dogs doing doll dollar dollars dolls dome domestic dominant don donate donated
donation done donkey donor doom doomed door doorbell doors dope dorm dose dot doth double doubled doubt doubted
doubts douche dough dove down download downloaded downstairs downtown dozen dozens draft drag dragged dragging dragon
dragons drain drained drama dramatic drank draw drawer drawing drawings drawn draws dreadful dream dreamed dreaming
dreams dress dressed dresses dressing drew dried drift drifted drifting drill drilling drink drinking drinks dripping
drive driven driver drivers drives driving drone drones drop dropped dropping drops drove drown drowned drowning drug
drugged drugs drum drums drunk drunken dry duck ducks duct dude dudes due duel dug duke dull dumb dumbest dummy dump
dumped dumping during dust dutch duties duty dwarf dwell dye dying dynamic dynamite each eager eagle ear earlier
earliest early earn earned earning ears earth earthly earthquake ease easier easiest easily east eastern easy eat
eaten eating eats echo economic economy edge edition editor educate educated education educational effect effective
effectively effects efficient effort efforts egg eggs ego egyptian eight eighteen eighth either elaborate elbow elder
elderly elders eldest elected election electric electrical electricity electromagnetic electronic elegant element
elementary elements elephant elephants elevated elevator eleven eligible eliminate eliminated elite else elsewhere
email embarrass embarrassed embarrassing embarrassment embassy embedded embrace embraced emerge emerged emergency
emily emotion emotional emotionally emotions emperor empire employ employed employee employees employer employment
emptied empty enchanted encounter encountered encourage encouraged encouraging encrypted end endangered ended ending
endless ends endure endured enemies enemy energy enforcement engage engaged engagement engaging engine engineer
engineered engineering engineers engines english enhance enjoy enjoyed enjoying enjoys enlighten enlisted enormous
enough ensure enter entered entering enterprise enters entertain entertaining entertainment enthusiasm entire
entirely entitled entrance entrusted entry envelope environment environmental envy epic episode equal equally equals
equipment equipped equivalent era erase erased erotic errand error escape escaped escapes escaping escort especially
essay essence essential essentially establish established establishment estate esteemed estimate estimated eternal
eternity ethical ethics european euros evacuate evacuation eve even evening event events eventually ever everlasting
every everybody everyday everyone everything everywhere evidence evil evolution evolved exact exactly exam
examination examine examined examining example exams excellent except exception exceptional excess excessive exchange
exchanged excited excitement exciting exclusive excuse excuses execute executed execution executive exercise exhales
exhausted exhibit exhibition exile exist existed existence existing exists exit exits exotic expand expanding
expansion expect expectations expected expecting expects expedition expelled expense expenses expensive experience
experienced experiences experiencing experiment experimental experiments expert expertise experts explain explained
explaining explains explanation explode exploded exploding exploit explore exploring explosion explosions explosive
explosives expose exposed exposing exposure express expressed expressing expression exquisite extend extended
extension extensive extent external extra extract extraction extraordinary extraterrestrial extreme extremely eye
eyes eyewitness fabric fabulous face faced faces facial facilities facility facing fact factor factories factory
facts faculty fade fading fail failed failing fails failure faint fair fairly fairy faith faithful fake faked faking
fall fallen falling falls false fame familiar families family famous fan fancy fans fantasies fantastic fantasy far
fare farewell farm farmer farmers fart farther fascinated fascinating fashion fast faster fastest fat fatal fate
father fathers fault favor favorite favors fax fear feared fearless fears feast feather feathers feature features fed
federal feds fee feed feeding feeds feel feeling feelings feels fees feet fell fella fellas fellow fellows felony
felt female females feminine fence ferry festival fetch fever few fewer fiction field fields fierce fiery fifteen
fifth fifty fight fighter fighters fighting fights figure figured figures figuring file filed files filing fill
filled filling fills film filmed filming films filter filth filthy final finally finance financial find finding
findings finds fine finer finest finger fingerprint fingerprints fingers finish finished finishes finishing fire
fired fires fireworks firing firm firmly first fish fishing fist fit fits fitted fitting five fix fixed fixing flag
flags flame flames flaming flare flash flashing flat flatter flattered flavor fled flee fleeing fleet flesh flew
flies flight flights flip flipped flipping flirt flirting float floating flock flood flooded flooding floor floors
flow flower flowers flowing flown flows flu fluid flush fly flying foam focus focused focusing fog fold folded folk
folks follow followed followers following follows fond font food fool fooled fooling foolish fools foot footage
football footprints footsteps for forbid forbidden force forced forces forcing forehead foreign foreigners forensic
forensics forest forests forever forgave forge forged forget forgets forgetting forgive forgiven forgiveness
forgiving forgot forgotten fork form formal formally formation formed former formidable forming forms formula fort
forth fortress fortunate fortunately fortune fortunes forty forward foster fought foul found foundation founded
founder founding fountain four fourteen fourth fox fraction fracture fractured fragile fragments frame framed francs
frank frankly frat fraud freak freaked freaking freaks freaky free freed freedom freely freeze freezing freight
french frequency frequent frequently fresh freshen freshman fridge fried friend friendly friends friendship fries
frigging frighten frightened frightening frog from front frontal froze frozen fruit fruits frustrated fry frying fuck
fucked fucker fuckers fucking fucks fuel fugitive fulfill fulfilled full fully fun function functioning functions
fund fundamental funding funds funeral funky funny fur furious furniture further fury fuse fusion fuss future fuzzy
gag gain gained gaining gal galaxy gallery gallons gamble gambling game games gang gangs gangster gangsters gap
garage garbage garden garlic gas gasoline gasping gasps gate gates gather gathered gathering gave gay gaze gear gene
general generally generals generate generation generations generator generous genes genetic genetically genius gentle
gentleman gentlemen gently genuine genuinely german germans gesture get getaway gets getting ghetto ghost ghosts
giant giants gift gifted gifts gig gigantic giggling gimme gin ginger girl girlfriend girlfriends girls give given
gives giving glad gladly glance glass glasses glimpse global globe glorious glory glove gloves glow glowing glue
glued goal goals goat god goddamn goddamned goddess gods goes going gold golden golf gone gonna good goodbye goodness
goods goons goose gorgeous gorilla gossip got gotta gotten government governments governor gown grab grabbed grabbing
grabs grace gracious grad grade grades gradually graduate graduated graduation grain grams grand granddaughter
grandfather grandma grandmother grandpa grandparents grandson granny grant granted grasp grass grateful gratitude
grave graves graveyard gravitational gravity gray grease greasy great greater greatest greatly greatness greed greedy
greek green greet greeting greetings grenade grew grey grid grief grieve grieving grill grilled grim grind grinding
grip groaning groans grocery groom gross ground grounded grounds group groups grow growing growling grown grows
growth grudge grunting grunts guarantee guaranteed guard guarded guardian guardians guarding guards guess guessed
guessing guest guests guidance guide guided guiding guilt guilty guinea guitar gum gun gunfire guns gunshot gut guts
guy guys gym gypsy habit habits hack hacked hacker hacking had hail hair hairs hairy half halfway hall hallowed halls
hallway ham hammer hand handcuffs handed handful handing handle handled handles handling hands handsome handwriting
handy hang hanged hanging hangs hans happen happened happening happens happier happiest happily happiness happy
harassing harbor hard harder hardest hardly hardware harm harmed harmless harmony harness harsh harvest has hash hast
hat hatch hate hated hates hath hating hatred hats haul hauling haunt haunted haunting have having hay head headache
headed heading headquarters heads heal healed healing health healthy heap hear heard hearing hears heart heartbeat
heartless hearts heat heated heating heaven heavenly heavens heavier heavily heavy heck heed heel heels height heir
held helicopter hell hello helmet help helped helpful helping helpless helps hence her herd here hereby hero heroes
heroic heroin hers herself hesitate hey hid hidden hide hideous hides hiding high higher highest highly highness
highway hike hill hills him himself hint hip hips hire hired hiring his historic historical history hit hitch hits
hitting hive hobby hockey hog hold holding holds hole holed holes holiday holidays holler hollow holly holy home
homecoming homeland homeless homemade homes hometown homework homicide honest honestly honesty honey honeymoon honor
honorable honored hood hook hooked hooker hooking hooks hop hope hoped hopefully hopeless hopes hoping horizon horn
horns horny horrible horribly horror horse horses hose hospital hospitals host hostage hostages hostile hosting hot
hotel hotels hotter hottest hour hours house household houses housing how however howling hug huge hugging huh hull
human humanity humans humble humbly humiliate humiliated humiliating humiliation humming humor hump hunch hundred
hundreds hung hunger hungry hunk hunt hunted hunter hunters hunting hurricane hurry hurt hurting hurts husband
husbands hush hustle hut hybrid hydrogen ice iced icy idea ideal ideas identical identification identified identify
identifying identity idiot idiotic idiots idle idol ignorance ignorant ignore ignored ignoring ill illegal illegally
illness illusion image images imaginary imagination imagine imagined imagining immediate immediately immense
immigration imminent immortal immune immunity impact imperative imperial implying importance important imported
impose impossible impress impressed impression impressive imprisoned improve improved impulse inappropriate incapable
inch inches incident incidents inclined include included includes including income incoming increase increased
increases increasing increasingly incredible incredibly indeed independence independent index indian indians indicate
indicated indicates indication indistinct indistinctly individual individuals indulge industrial industries industry
inevitable infamous infant infected infection inferior infiltrate infinite influence influenced info inform informant
information informed ingredients inherit inheritance inherited initial initials initiate inject injected injection
injured injuries injury injustice ink inmate inmates inn inner innocence innocent inquiry insane insanity insect
insects insert inside insight insist insisted insisting insists inspect inspection inspector inspiration inspire
inspired install installed instant instantly instead instinct instincts institution instructed instructions
instructor instrument instrumental instruments insult insulted insulting insurance integrity intel intellectual
intelligence intelligent intend intended intends intense intensive intent intention intentionally intentions
intercept intercepted interest interested interesting interests interfere interference interfering interior intern
internal international internet interpret interrogate interrogation interrupt interrupted interrupting interview
interviewed interviewing interviews intimate intimidate into introduce introduced introducing introduction intruder
invade invaded invading invasion invent invented invention inventory invest invested investigate investigated
investigating investigation investigative investigator investigators investment investors invisible invitation invite
invited invites inviting involve involved involvement involves involving irish iron ironic irony irresponsible island
islands isolate isolated isolation issue issued issues italian italians item items its itself jack jacked jacket jail
jake jam jammed jamming janitor japanese jar jaw jazz jealous jealousy jeans jelly jeopardize jerk jerking jesus jet
jets jewel jewelry jewels jewish jews jimmy jingle job jobs joe jog john join joined joining joins joint joke jokes
joking jolly journal journalist journalists journey joy judge judged judges judging judgment juice juicy julian jump
jumped jumping jumps jungle junior junk junkie jurisdiction jury just justice justify juvenile karate keen keep
keeping keeps kept kettle key keys kick kicked kicking kicks kid kidding kidnap kidnapped kidnapping kidney kids kill
killed killer killers killing killings kills kilometers kilos kin kind kinda kindly kindness kinds king kingdom kings
kiss kissed kisses kissing kit kitchen kitty knee kneel knees knew knife knight knights knives knock knocked knocking
knocks knot know knowing knowledge known knows korean lab label labor laboratory labs lack lacking lacks lad ladder
ladies lads lady laid lake lam lamb lame lamp land landed landing landlord lands landscape lane language lap laptop
large largely larger largest laser last lasted lasting lasts late lately later latest latin laugh laughed laughing
laughs laughter launch launched launching laundry lava law lawful lawn laws lawsuit lawyer lawyers lay layer layers
laying lays lazy lead leader leaders leadership leading leads leaf league leak leaked leaking lean leaning leap learn
learned learning learns learnt lease least leather leave leaves leaving lecture led left leg legacy legal legally
legend legendary legends legitimate legs lemon lend length lengths lens lent lesbian less lesser lesson lessons let
lethal lets letter letters letting level levels leverage liable liar liberal liberty library licence license licensed
lick licking lid lie lied lies lieutenant life lifelong lifestyle lifetime lift lifted lifting light lighten lighter
lighting lightly lightning lights like liked likely likes liking lily limb limbs lime limit limited limits limo line
lined lines lining link linked linking links lion lions lip lips lipstick liquid liquor list listed listen listened
listening listens lists lit literally literary literature little live lived lively liver lives living lizard load
loaded loading loads loan loans lobby lobster local locals locate located location locations lock locked locker
locking locks lodge lodged log logged logic logical logs lone loneliness lonely lonesome long longer longest longing
look looked looking lookout looks loop loose loosen lord lords lose loser losers loses losing loss losses lost lot
lots lotta lottery loud louder loudly lounge lousy love loved lovely lover lovers loves loving low lower lowest lowly
loyal loyalty luck luckiest luckily lucky luggage lump lunar lunatic lunch lung lungs lure lured lurking lust luxury
lying lyrics machine machines mad madam madame made madly madman madness magazine magazines magic magical magician
magnetic magnificent maid maiden maids mail main mainly maintain maintaining maintenance majesty major majority make
maker makes makeup making male males mall mama man manage managed management manager manages managing mandatory
maniac manifest manipulate manipulated manipulating mankind manly manner manners mansion manual manufacture many map
maps marble march marched marching marijuana marine marines marital mark marked marker market marketing marks
marriage marriages married marries marry marrying marshal martial marvelous mary mashed mask masked masks mass
massacre massage masses massive master masters match matched matches matching mate material materials mates math
mathematical mating matter matters mattress mature max maximum may maybe mayor meal meals mean meaning meaningful
meaningless means meant meanwhile measure measured measures measuring meat mechanic mechanical mechanism medal media
medical medication medicine medieval medium meet meeting meetings meets melody melt melted melting member members
membership memo memorial memories memorize memory men mend mental mentally mention mentioned mentioning menu
merchandise merchant merciful mercy mere merely merit merry mess message messages messed messenger messes messing
messy met metal meteor meter meters method methods mexican mice microphone microwave middle midnight midst might
mighty mike mild mile miles military militia milk mill million millionaire millions mind minding minds mine mineral
mines mini miniature minimum mining minister ministers minor mint minus minute minutes miracle miracles miraculous
mirror mirrors miserable misery misfortune miss missed misses missile missiles missing mission missions mistake
mistaken mistakes mister mistress misunderstand misunderstanding misunderstood mix mixed mixing mixture moaning moans
mob mobile mock mocking mode model models modern modest modified mold mole molecular molly mom moment moments mommy
moms mon money monitor monitoring monk monkey monkeys monks monsieur monster monsters monstrous month monthly months
mood moon moonlight mop moral more morgue morning moron morphine mortal mortgage moses most mostly motel mother
motherfucker motherfuckers motherfucking mothers motion motivated motive motives motor motorcycle mount mountain
mountains mounted mourn mourning mouse mouth mouths move moved movement movements moves movie movies moving much mud
muffled mug mule multiple mum mummy murder murdered murderer murderers murdering murderous murders muscle muscles
museum music musical musicians must mustard mutant mutual myself mysteries mysterious mystery mystical myth nail
nailed nails naive naked name named names naming nanny nap narcotics narrow nasty nation national nations native
natives natural naturally nature naughty naval navy nazi near nearby nearest nearly neat necessarily necessary neck
necklace need needed needing needle needles needless needs negative neglected negotiate negotiating negotiations
neighbor neighborhood neighbors neither nephew nerve nerves nervous nest net network neural neutral never new newborn
newest newly news newspaper newspapers next nice nicely nicer nicest nick nicked nickel nickname niece nigger niggers
night nightclub nightmare nightmares nights nine ninja ninth noble nobody nod noise noises noisy non none nonsense
noodle noodles noon nor normal normally north northern nose noses not note notebook noted notes nothing notice
noticed notices noticing notified notify notion notorious novel now nowadays nowhere nuclear nude numb number numbers
numerous nun nuns nurse nursery nurses nursing nut nuts oak oath obey object objection objective objects obligation
obliged obscure observation observe observed observing obsessed obsession obstacle obtain obtained obvious obviously
occasion occasional occasionally occupation occupied occupy occur occurred occurs ocean oceans odd odds off offend
offended offense offensive offer offered offering offers office officer officers offices official officially
officials offshore often oil okay old older oldest olive once one ones ongoing onion online only onto ooh open opened
opening openly opens opera operate operated operating operation operational operations operative operator opinion
opinions opium opponent opportunities opportunity oppose opposed opposing opposite opposition ops option options oral
orange orbit order ordered ordering orderly orders ordinary organ organic organization organize organized organizing
organs origin original originally orphan orphanage other others otherwise ought ounce our ours ourselves out outbreak
outcome outer outfit outrageous outrun outside outstanding outta oven over overall overcome overheard overlook overly
overnight override overseas overthrow overtime overwhelmed overwhelming owe owed owes owl own owned owner owners
ownership owns oxygen pace pack package packed packet packing packs pact pad page pages paid pain painful pains paint
painted painter painting paintings pair pairs pal palace pale palm pals pan pancakes panel panic panties panting
pants papa paper papers paperwork par parade paradise parallel paralyzed paramedics paranoid pardon parent parents
parish park parked parking parks parole part parted partial partially participate particle particles particular
particularly parties parting partly partner partners partnership parts party partying pass passage passed passenger
passengers passes passing passion passionate passport password past pasta pat patch patent path pathetic paths
patience patient patients patrol patron pattern patterns pause pawn pay payback paying payment payments pays peace
peaceful peach peak peanut pearl peasant peasants peculiar pee peed peek peel pen penalty pencil pending penetrate
penis penny pension people peoples pep pepper per perceive percent percentage perception perfect perfectly perform
performance performed performing perfume perhaps perimeter period permanent permanently permission permit permitted
person personal personality personally personnel persons perspective persuade persuaded pervert pet petition petrol
petty phantom pharmaceutical phase phenomenon philosophy phone phoned phones phony photo photograph photographer
photographs photography photos phrase physical physically physician physics piano pick picked picking picks pickup
picnic picture pictured pictures pie piece pieces pierce pig pigeon pigs pile pill pillow pills pilot pilots pimp pin
pinch pine ping pink pinned pinpoint pins pint pipe pipes pirate pirates piss pissed pisses pissing pistol pit pitch
pitched pitching pitiful pity pizza place placed places placing plague plain plan plane planes planet planets planned
planning plans plant planted planting plants plasma plastic plate plates platform platoon play played player players
playing plays plea plead pleasant please pleased pleases pleasure pleasures pledge pledged plenty plot plotting pluck
plug plugged plus pocket pockets pod poem poems poet poetry point pointed pointing pointless points poison poisoned
poisoning poisonous poke poker poking polar pole police policeman policemen policy polish polite political
politically politician politicians politics polls pond pony pool poop poor poorly pop popcorn pope popped popping
pops popular population porch pork porn porno port portable portal portion portrait pose posed posing position
positions positive positively possess possessed possession possibilities possibility possible possibly post posted
poster posters posting postpone pot potato potatoes potential potentially potion pots pound pounding pounds pour
poured pouring poverty powder power powered powerful powerless powers practical practically practice practiced
practicing practise praise prank pray prayed prayer prayers praying preach preacher precinct precious precise
precisely predict predicted prefer preferably preferred prefers pregnancy pregnant preliminary prep preparation
preparations prepare prepared preparing prescribed prescription presence present presentation presented presenting
presents preserve preserved president presidential press pressed pressing pressure presumably presume pretend
pretended pretending pretends prettier prettiest pretty prevent prevented preventing previous previously prey price
prices prick pride priest priests primary prime primitive prince princes princess principal principle principles
print printed printing prints prior priority prison prisoner prisoners privacy private privilege privileged prize pro
probability probable probably probation probe problem problems procedure procedures proceed proceeding process
processed processing produce produced producer producers produces producing product production productive products
profession professional professor profile profit profits profound program programmed programming programs progress
project projects prom prominent promise promised promises promising promote promoted promoting promotion pronounce
pronounced proof prop proper properly properties property prophecy prophet proposal propose proposed proposing
proposition prosecute prosecution prosecutor prospect prostitute protect protected protecting protection protective
protects protein protest protocol protocols prototype proud proudly prove proved proven proves provide provided
provides providing proving provoke pry psych psychiatric psychiatrist psychic psycho psychological psychology
psychotic pub public publicity publicly publish published publishing pudding puff puke pull pulled pulling pulls
pulse pump pumped pumping pumpkin punch punched punches punching punish punished punishing punishment punk pupils
puppet puppy purchase purchased pure purely purple purpose purse pursue pursued pursuing pursuit push pushed pushes
pushing pussy put puts putting puzzle pyramid qualified qualify qualities quality quantum quarantine quarrel quarter
quarters que queen queens queer quest question questioned questioning questions quick quicker quickly quid quiet
quietly quit quite quitting quote quoting rabbit rabbits race races racial racing racist rack racket radar radiation
radical radio radioactive radius rag rage raging raid raided rail railroad railway rain rainbow rained raining rains
rainy raise raised raises raising rally ram ran ranch random rang range rangers rank ranks ransom rap rape raped
rapid rapidly raping rare rarely rash rat rate rates rather ratings rational rats rattle rattling raw ray rays razor
reach reached reaches reaching react reaction reactor read readers reading readings reads ready real realistic
reality realize realized realizes realizing really realm rear reason reasonable reasons rebel rebellion rebels
rebuild recall receipt receive received receives receiving recent recently reception recipe recite reckless reckon
reclaim recognition recognize recognized recognizes recommend recommendation recommended recon reconsider record
recorded recording records recover recovered recovering recovery recruit recruited recruiting red redeem reduce
reduced reel refer reference referred referring refers reflect reflected reflection reflects reform refrain
refrigerator refuge refugee refugees refuse refused refuses refusing regain regard regarded regarding regardless
regards regiment region regional register registered registration regret regrets regular regularly regulations rehab
rehearsal rehearse rehearsing reign reinforcements reject rejected relate related relation relations relationship
relationships relative relatively relatives relax relaxed relay release released releasing relevant reliable relief
relieve relieved religion religious reluctant rely relying remain remained remaining remains remarkable remarkably
remedy remember remembered remembering remembers remind reminded reminder reminding reminds remote remotely remove
removed removing render rendezvous renew renounce renowned rent rental rented renting rep repair repairs repay repeat
repeated repeatedly repeating replace replaced replacement replacing reply report reported reporter reporters
reporting reports represent representative representatives represented representing represents reputation request
requested requesting requests require required requires rescue rescued rescuing research researching resemble resent
reservation reservations reserve reserved reset residence resident residents residue resign resignation resigned
resist resistance resisting resolution resolve resolved resort resources respect respectable respected respects
respond responded responding response responsibilities responsibility responsible rest restaurant restaurants resting
restless restore restored restraining restricted rests result resulted resulting results resume retain retarded
rethink retire retired retirement retreat retrieve return returned returning returns reunion reveal revealed
revealing reveals revenge reverend reverse review reviewed reviewing revive revolution revolutionary reward rewarded
rewrite rhyme rhymes rhythm rib ribbon ribs rice rich richer richest rid riddle ride rider riders rides ridiculous
riding rifle rifles rig rigged right righteous rightful rights ring ringing rings riot rip ripe ripped ripping rise
risen rises rising risk risked risking risks risky ritual rival river rivers road roads roam roaming roaring roast
roasted rob robbed robbers robbery robbing robe robot robots rock rocket rockets rocking rocks rocky rod rode roger
rogue role roles roll rolled roller rolling rolls romance romans romantic roof rookie room roommate rooms root
rooting roots rope ropes rose roses rot rotten rotting rough roughly round rounded rounds route routes routine row
royal rub rubbed rubber rubbing rubbish rude rug ruin ruined ruining ruins rule ruled ruler rules ruling rum rumbling
rumor rumors run runaway running runs runway rupees rush rushed rushing russian russians rusty ruthless ryan sabotage
sack sacred sacrifice sacrificed sacrifices sacrificing sad saddle sadly sadness safe safely safer safest safety said
sail sailed sailing sailor sailors sails saint saints sake salad salary sale sales salesman sally salmon salt salute
salvage salvation sam same sample samples samurai sanctuary sand sandwich sandwiches sane sang sank sat satellite
satellites satisfaction satisfied satisfy sauce sausage savage save saved saves saving savings saw say saying says
scale scam scan scandal scanning scans scar scare scared scares scarf scaring scars scary scattered scenario scene
scenes scent schedule scheduled scheme scholarship school schools science scientific scientist scientists scissors
scold scoop scope score scored scores scotch scottish scout scouts scramble scrambled scrap scrape scraping scratch
scratched scratching scream screamed screaming screams screeching screen screw screwed screwing screws script scrub
scum scumbag sea seal sealed seals sean search searched searching seas season seasons seat seated seats sebastian
second secondary seconds secret secretary secretly secrets section sections sector secure secured security seduce
seduced see seed seeds seeing seek seeking seeks seem seemed seemingly seems seen sees seize seized seldom select
selected selection self selfish sell selling sells semen semester senator send sending sends senior sensation sense
sensed senses sensible sensing sensitive sensor sensors sent sentence sentenced sentences sentimental separate
separated separation sequence sergeant serial series serious seriously serum servant servants serve served server
serves service services serving session sessions set sets setting settle settled settlement settles settling setup
seven seventh several severe severed severely sew sewer sewing sex sexual sexually sexy shack shade shades shadow
shadows shady shaft shake shaken shakes shaking shall shallow shalt shame shameful shape shaped shapes share shared
shares sharing shark sharks sharp sharply shattered shave shaved shaving she shed sheep sheer sheet sheets shelf
shell shells shelter shepherd sheriff shield shields shift shifting shifts shine shines shining shiny ship shipment
shipped shipping ships shirt shirts shit shits shitting shitty shock shocked shocking shoe shoes shook shoot shooter
shooting shoots shop shopping shops shore short shortage shorter shortly shorts shot shotgun shots should shoulder
shoulders shout shouted shouting shouts shove shoved shovel show showed shower showers showing shown shows shred
shrimp shrine shrink shut shuts shutter shutting shuttle shy sick sickness side sides siege sigh sighs sight sights
sign signal signals signature signed significance significant signing signs silence silent silk silly silver similar
simple simpler simply sin since sincere sincerely sing singer singing single sings sink sinking sins sip sir siren
sirens sister sisters sit site sites sits sitting situation situations six sixteen sixth sixty size skate skating
skeleton sketch ski skies skill skilled skills skin skinny skip skipped skipping skirt skull sky slam slammed slams
slap slapped slaughter slaughtered slave slaves slay sleep sleeping sleeps sleepy slept slice sliced slide sliding
slight slightest slightly slim slip slipped slippery slipping slips slit sloppy slot slow slowed slower slowing
slowly slug slut smack small smaller smallest smart smarter smartest smash smashed smashing smell smelled smelling
smells smelly smile smiled smiles smiling smoke smoked smokes smoking smooth smuggle smuggled smuggling snack snake
snakes snap snapped snarling snatch snatched sneak sneaking sneaky sniff sniffing sniper snooping snoring snow snuck
soak soaked soaking soap sobbing sober soccer social society sock socks soda sofa soft softly software soil solar
sold soldier soldiers sole solely solemn solemnly solid solitary solo solution solve solved solving some somebody
someday somehow someone someplace something sometime sometimes somewhat somewhere son song songs sons soon sooner
sophisticated sore sorrow sorry sort sorted sorts sought soul souls sound sounded sounding sounds soup sour source
sources south southern souvenir soviet soviets soy spa space spaceship spaghetti spanish spank spare spared spark
sparkling speak speaker speaking speaks spear special specialist specially specialty species specific specifically
spectacular speech speeches speed speeding spell spelled spelling spells spend spending spends spent sperm spice
spicy spider spiders spies spike spill spilled spilling spin spinal spine spinning spirit spirits spiritual spit
spite spitting splash splendid split splitting spoil spoiled spoiling spoke spoken sponsor sponsored spontaneous
spoon sport sporting sports spot spots spotted spray spread spreading spreads spring springs sprung spy spying squad
squadron square squash squeeze squeezed squeezing squirrel stab stabbed stabbing stable stack stadium staff stage
staged stages staging stain stained stains stairs stake stakes stalking stall stamp stand standard standards standing
stands star starboard stare stared staring starring stars start started starting startled starts starve starving
stash stashed state stated statement statements states static stating station stationed stations statue status stay
stayed staying stays steady steak steal stealing steals steam steel steer steering stem step stepped stepping steps
stew stick sticking sticks sticky stiff still sting stink stinking stinks stir stirring stitch stitches stock stocks
stole stolen stomach stone stoned stones stood stop stopped stopping stops storage store stored stores stories storm
storms story stove straight straighten straightened strain stranded strange strangely stranger strangers strangest
strangle strangled strap strapped strategic strategy straw strawberry stray streak stream street streets strength
strengthen stress stressed stressful stretch stretched stretching strict strictly strike strikes striking string
strings strip stripped stripper stroke stroll strong stronger strongest strongly struck structural structure struggle
struggled struggling strung stubborn stuck student students studied studies studio study studying stuff stuffed
stuffing stumbled stunning stunt stupid stupidest style sub subconscious subject subjects submarine submit submitted
subspace substance substantial substitute subtitles subtle subway succeed succeeded success successful successfully
such suck sucked sucker sucking sucks sudden suddenly sue sued suffer suffered suffering suffers sufficient sugar
suggest suggested suggesting suggestion suggests suicide suing suit suitable suitcase suite suited suits sum summer
summit summon summoned sun sung sunk sunlight sunny sunrise sunset sunshine super superhero superior superiors
supermarket supernatural supervisor supper supplied supplies supply support supported supporting supportive supports
suppose supposed supposedly supposing suppress supreme sure surely surf surface surfing surge surgeon surgery
surgical surprise surprised surprises surprising surprisingly surrender surrendered surround surrounded surrounding
surveillance survey survival survive survived surviving survivor survivors sushi suspect suspected suspects suspend
suspended suspension suspicion suspicious sustain sustained swallow swallowed swam swamp swap sway swear swears sweat
sweater sweating sweaty swedish sweep sweeping sweet sweetest sweetheart sweets swell swelling swept swift swim
swimming swing swinging swiss switch switched switching swollen sword swords swore sworn symbol symbols sympathetic
sympathy symptoms sync synthetic system systems table tables tabs tackle tactical tactics tad tag tail tails take
taken takes taking tale talent talented talents tales talk talked talking talks tall taller tame tampered tan tangled
tank tanks tap tape taped tapes tapped tapping target targeted targeting targets task taste tasted tastes tasty
tattoo tattooed taught tax taxes taxi tea teach teacher teachers teaches teaching team teams tear tearing tears tease
teasing technical technically technique techniques technology teddy teen teenage teenager teenagers teeth telegram
telephone television tell telling tells temper temperature temperatures temple temporal temporarily temporary tempt
temptation tempted ten tend tendency tender tends tennis tens tense tension tent tenth term terminal terminate terms
terrible terribly terrific terrified terrifying territory terror terrorism terrorist terrorists test tested testified
testify testimony testing tests text texts than thank thanked thankful thanking thanks thanksgiving that the theater
theatre thee theft their theirs them theme themselves then theories theory therapist therapy there therefore thermal
these they thick thief thieves thin thine thing things think thinking thinks third thirst thirsty thirty this
thorough thoroughly those thou though thought thoughtful thoughts thousand thousands thread threat threaten
threatened threatening threatens threats three threw thrill thrilled throat throne through throughout throw throwing
thrown throws thrust thugs thumb thumbs thunder thus thy tick ticket tickets ticking tickle tide tidy tie tied ties
tiger tigers tight tighten till time times timing tin tiny tip tipped tips tire tired tires tissue title tits toast
tobacco today toe toes together toilet token told tolerate toll tom tomato tomb tomorrow ton tone tongue tonight tons
tony too took tool tools tooth top topic tops torch tore torment torn torpedo torture tortured torturing toss tossed
tossing total totally touch touched touches touching tough tougher toughest tour tourist tourists tournament tow
toward towards towel towels tower towers town towns toxic toy toys trace traced traces track tracked tracking tracks
tractor trade traded trading tradition traditional traditions traffic tragedy tragic trail trailer train trained
training trains traitor traitors transfer transferred transferring transform transformed transition translate
translated translation transmission transmit transmitter transplant transport transportation transported transporter
transporting trap trapped traps trash trauma traumatic travel traveled traveling travelled travelling travels tray
treacherous tread treason treasure treasures treat treated treating treatment treats treaty tree trees tremendous
trench trial trials tribal tribe tribes tribute trick tricked tricks tricky tried tries trigger triggered trim trip
triple tripped trips triumph troop troops trophy tropical trouble troubled troubles troubling trousers truck trucks
true truly trunk trust trusted trusting trusts truth try trying tub tube tubes tuck tucked tumor tuna tune tuned
tunnel tunnels turkey turkish turn turned turning turns turtle tutor twelve twenty twice twin twins twist twisted
twisting two tying type types typical typically ugly ultimate ultimately umbrella unable unarmed unauthorized unaware
unbelievable unbelievably uncle uncomfortable unconscious uncover uncovered under undercover underestimate
underestimated underground undermine underneath understand understanding understands understood underwater underwear
undo undoubtedly unemployed unexpected unfair unfinished unfortunate unfortunately ungrateful unhappy unidentified
uniform uniforms union unique unit unite united units universal universe university unknown unleash unless unlike
unlikely unlimited unload unlock unlucky unnecessary unpleasant unprecedented unstable untie until unto unusual
unusually upcoming update upgrade uphold upload uploaded upon upper ups upset upsetting upside upstairs urban urge
urgent urine use used useful useless uses using usual usually utmost utter utterly vacant vacation vaccine vacuum
vagina vague vain valid valley valuable value valued values valve vampire vampires van vanilla vanish vanished
variety various vast vault vegetable vegetables vehicle vehicles veil veins vengeance vent venture verbal verdict
verge verify verse version versus vertical very vessel vessels vest vet veteran via viable vibe vic vice vicinity
vicious victim victims victory video videos vietnamese view viewers views vile villa village villagers villages
villain villains vintage violate violated violating violation violence violent violin viral virgin virginity virtual
virtually virtue virus visa visible vision visions visit visited visiting visitor visitors visits visual vital vitals
vitamin vocal vodka voice voices void volcanic volcano volume volunteer volunteered volunteers vomit voodoo vote
voted voters votes voting vouch vow vowed vows voyage vulgar vulnerable wage wager wages wagon wailing waist wait
waited waiter waiting waitress waits wake wakes waking walk walked walking walks wall wallet walls waltz wander
wandered wandering wanna want wanted wanting wants war ward warden wardrobe warehouse warm warmed warmer warming
warmth warn warned warning warp warrant warrants warrior warriors wars was wash washed washing waste wasted wasting
watch watched watches watching water waters wave waves waving wax way ways weak weaker weakness wealth wealthy weapon
weapons wear wearing wears weary weather web website wedded wedding weddings wee weed week weekend weekends weekly
weeks weep weeping weigh weighed weighing weighs weight weird weirdest welcome welcomed welcoming welfare well went
were werewolf west western wet whack whacked whale whales what whatever whats wheat wheel wheelchair wheels when
whenever where whereabouts whereas wherever whether which whichever while whilst whining whip whipped whirring
whiskey whisky whisper whispered whispering whispers whistle whistling white whites who whoa whoever whole whom whore
whores whose why wicked wide widow wife wig wild wilderness wildest will willing willingly win wind winding window
windows winds wine wing wings winner winners winning wins winter wipe wiped wiping wire wired wireless wires wisdom
wise wish wished wishes wishing wit witch witches with withdraw within without withstand witness witnessed witnesses
wives wizard woke woken wolf wolves woman women won wonder wondered wonderful wondering wonders wont wood wooden
woods wool word words wore work worked worker workers working works world worlds worldwide worm wormhole worms worn
worried worries worry worrying worse worship worst worth worthless worthy would wound wounded wounds wow wrap wrapped
wrapping wrath wreck wrecked wrestle wrestling wretched wrist write writer writers writes writing written wrong wrote
yacht yankees yard yards yeah year years yell yelled yelling yellow yells yen yer yes yesterday yet yield yoga you
young younger youngest your yours yourself youth zero zip zombie zombies zone zoo zoom
""".split()
)

FIRST_NAMES = frozenset(
    """
aaron abby abe adam adele agnes aidan aisha alan albert alec alex alexa alice alison allan allen amanda amber amir amy ana andre
andrea andrew andy angela angie anita ann anna anne annie anton arthur ash astrid audrey austin ava barb barbara barry beatrice
becky bella ben bernard beth betty beverly bill billy blake bob bobby brad bram brandon brenda brent brett brian bridget britt
bruce bryan caleb calvin carl carla carlos carmen carol caroline carrie casey cathy cecil chad charles charlie chas chen chloe
chris christina christine chuck cindy claire clara clark claude cleo clive cody cole colin connor corey craig curt curtis cynthia
dale dan dana daniel danny dave david dawn dean deb debbie dee dennis derek diana diane dick diego dirk don donna doris doug drew
duane dylan earl eddie edgar edith edna eileen elaine elena eli elise ella ellen elsa emil emily emma eric erica erik erin ethan
eva evan eve faith fay felix fiona floyd fran frank fred frida gabe gail gary gavin gene george gerald gina glen glenn gloria
grace graham greg greta gus guy gwen hana hank hannah hans harold harry harvey hazel heather heidi helen henry herb holly hope
howard hugh hugo ian ida igor ines inga ingrid ira irene iris isaac ivan ivy jack jackie jacob jake james jamie jan jane janet
janice jason jay jean jeff jen jenny jerry jess jesse jessica jill jim joan joanna jodi joe joel john jon jordan jose josh joy
joyce juan judith judy julia julie june justin kai kara karen kari karl kate kathy katie kay keith kelly ken kenny kevin kim kirk
kris kurt kyle lance lara larry laura lauren lea lee lena leo leon leonard leroy leslie lily linda lisa liz lloyd logan lois lola
lolo lori lou louis louise lucas lucy luis luke luz lyle lynn mack maggie maria marie mark marta martha martin marty mary mason
matt max may megan mel melissa mia michael michelle mick mickey miguel mike miles millie milo min molly mona monica
morgan nancy naomi
nate neil nell nicole nick nigel nina noah nora norm norman olga olive oliver olivia omar oscar otto owen pablo paige
pam pat patty
paul paula pearl pedro peggy penny perry pete peter phil phyllis piet polly priya rachel ralph ramon randy ravi ray
raymond rebecca
reg regina rex rhonda rich richard rick ricky rita rob robert robin rod roger roland ron rosa rose rosie ross roy
ruby russ russell
ruth ryan sally sam samantha samuel sandra sandy sara sarah sasha saul scott sean seth shane shannon sharon shaun sheila shelly
sherry shirley sid simon sofia sonia sophie stacy stan stella steve steven stu sue susan suzanne sven sylvia tanya tara tasha ted
teresa terry tess theo thomas tim tina toby todd tom tommy toni tony tracy trey trish trudy tyler ursula vera vern
vic vicky victor
vince viola violet wade wally walt walter wanda warren wayne wendy wes wilma xavier yuki yvonne zach zoe
""".split()
)
