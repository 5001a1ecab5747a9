"""What the demo collection knows about vegetables.

Each plant is a head line `singular | plural | group | another name`, followed by its facts: the aspect of
growing a fact is about, then the fact. The second fact of an aspect answers another question than the first.
"""

from __future__ import annotations

VEGETABLES = """
tomato | tomatoes | greenhouse crops |
planting   Sow indoors in March and plant out in early June, once the nights stay above ten degrees.
planting   Bury the stem up to the first pair of leaves, because buried stem grows extra roots.
watering   Water deeply every second day, and every day in a heatwave, always at the base of the stem.
watering   Fruit splits when a dry week is followed by a soaking, so keep the soil evenly moist.
feeding    Begin a weekly high-potash feed when the first truss of fruit has set.
feeding    Yellow lower leaves with green veins point to a lack of magnesium, which Epsom salts put right.
pruning    Pinch out the side shoots of cordon types every week, while they are shorter than a finger.
pruning    Take out the growing tip two leaves above the fourth truss, so the last fruit ripens in time.
pests      Whitefly gathers under the leaves; yellow sticky traps and a soapy spray keep it down.
pests      Hornworms and other caterpillars are best picked off by hand in the evening.
diseases   Brown patches that spread quickly over leaves and fruit in wet weather are late blight.
diseases   A sunken black base on the fruit is blossom end rot, caused by uneven watering.
harvest    Pick when the fruit is fully coloured and comes away with a gentle twist.
harvest    Green fruit left in October ripens indoors in a drawer beside a banana.
pots       A bush variety such as Tumbling Tom crops well in a ten-litre container on a sunny balcony.
pots       Grow bags dry out fast, so plant two rather than three and cut drainage slits in the base.

chilli | chillies | greenhouse crops | hot peppers
planting   Start seed on a warm windowsill in February, because the plants need a long season.
planting   Seeds that refuse to come up usually want more heat: twenty-five degrees wakes them in ten days.
watering   Let the surface dry between waterings; slightly thirsty plants give hotter fruit.
watering   Leaves that droop at noon and recover by evening are hot rather than dry, so wait before watering.
feeding    Give half-strength tomato food every week from the first flower onwards.
feeding    Too much nitrogen makes a handsome bush with hardly any fruit on it.
pests      Greenfly clusters on the soft tips; squash it between the fingers or wash it off with water.
pests      Red spider mite loves dry air, so mist the leaves each morning to keep it away.
harvest    Cut the first fruit while still green, and the plant will set many more.
harvest    Colour shows ripeness, and most varieties are hottest when they have just turned red.
storing    Thread ripe fruit on a string and hang it in an airy kitchen until it rattles.
storing    Whole fruit freezes well without blanching and can be grated straight from the freezer.
winter     Cut the plant back to a hand's height in October and keep it on a cool, bright windowsill.
winter     Overwintered plants shoot again in March and fruit six weeks before new seedlings do.

cucumber | cucumbers | greenhouse crops | gherkins
planting   Sow two seeds on edge in a pot in April and keep the stronger seedling.
planting   Outdoor ridge types go into warm soil in June, a metre apart, over a spadeful of compost.
watering   Water little and often, because a check in growth turns the fruit bitter.
watering   Stand a tray of water on the greenhouse floor, since the leaves enjoy humid air.
pruning    Train the main stem up a string and stop each side shoot two leaves after a fruit.
pruning    Remove male flowers from greenhouse types, or the fruit becomes bitter and full of seeds.
pests      Red spider mite bronzes the leaves in hot, dry weather; raise the humidity to stop it.
pests      Slugs can fell a young plant overnight, so put a collar around each stem.
diseases   White dust on the leaves is powdery mildew, a sign that the roots are too dry.
diseases   Mottled, crumpled leaves mean mosaic virus, and the plant has to be pulled out.
harvest    Cut the fruit in the morning at about fifteen centimetres, before the seeds harden.
harvest    One yellowing fruit left on the vine stops the plant from making more.
storing    Keep the fruit in the door of the fridge, as it spoils below seven degrees.
storing    Small ones pickle well in vinegar with dill, mustard seed and a little sugar.

courgette | courgettes | marrows and squashes | zucchini
planting   Sow singly in pots in late April and plant out after the last frost, a metre apart.
planting   Two plants feed a family of four, so resist the temptation to plant six.
watering   Give each plant a full can twice a week, poured into a sunken pot beside the stem.
watering   A thick mulch of straw keeps the roots cool and halves the watering.
pests      Slugs and snails eat seedlings to the ground, so start them in pots and plant them out large.
pests      Aphids under the leaves spread virus; rub them off as soon as you see them.
diseases   Fruit that goes soft and rots at the tip was not pollinated; touch the flowers with a brush.
diseases   Powdery mildew whitens old leaves in August; cut those leaves off and water the roots well.
harvest    Pick at the length of a hand every other day, because they become marrows within a week.
harvest    The flowers are edible as well: gather the male ones at dawn and stuff them with ricotta.
storing    Grate the surplus, squeeze it dry and freeze it in portions for soups and cakes.
storing    Firm fruit keeps two weeks in the fridge if it is not washed first.
pots       One plant fills a forty-litre tub, and a compact variety is happiest there.
pots       In a container feed weekly, since the compost is exhausted by midsummer.

aubergine | aubergines | greenhouse crops | eggplant
planting   Sow in heat in February and grow on under glass, or the season is too short.
planting   Pot on three times before the final pot, so that the roots never stop growing.
feeding    Feed with potash every ten days as soon as the purple flowers open.
feeding    Stop feeding in September, when the last fruit has reached its size.
pruning    Pinch out the tip at thirty centimetres to make a bushy plant with four stems.
pruning    Leave five fruits on each plant and remove later flowers, for a few large fruits.
pests      Tiny holes and bronzed leaves tell of thrips and mites; hang blue traps and mist often.
pests      Colorado beetles and their larvae strip the leaves, and must be reported as well as removed.
harvest    Cut the fruit while the skin is glossy, since a dull skin means bitter seeds.
harvest    Use secateurs rather than pulling, because the stalk is tough and prickly.
pots       A single plant in a thirty-centimetre pot against a south wall ripens reliably.
pots       Flowers that fall in a potted plant want warmth and a daily shake for pollination.

potato | potatoes | root crops | spuds
planting   Chit the tubers in egg boxes from February and plant them in late March, eyes upward.
planting   Earth up the stems whenever they are a hand high, to keep the tubers from turning green.
watering   Water most when the flowers open, as that is when the tubers swell.
watering   Hollow hearts come from drought followed by heavy rain, so water steadily.
pests      Small round holes are wireworm; lift the crop early on ground that was recently lawn.
pests      Slugs tunnel into the tubers in wet autumns, so choose a resistant variety and lift by September.
diseases   Cut off all foliage as soon as blight shows, and lift the tubers two weeks later.
diseases   Scab makes rough corky spots that peel away, and is worse on limed, dry soil.
harvest    Earlies are ready when the flowers open, about twelve weeks after planting.
harvest    Lift the main crop on a dry morning and let the skins dry for two hours on the soil.
storing    Keep only sound tubers, in paper sacks in a dark, cool and frost-free place.
storing    Tubers turned green by the light are bitter and poisonous; throw them away.
pots       Plant three tubers in a deep sack, and roll the side up and add compost as the stems grow.
pots       A potted crop started under glass in January is ready for the table in May.

carrot | carrots | root crops |
planting   Sow thinly in drills one centimetre deep from April, and again every three weeks.
planting   Seed fails in cold or dry ground; water the drill before sowing and cover it with a board.
watering   Soak the row once a week, because roots that dry out crack or turn woody.
watering   Seedlings need a fine spray, as a heavy stream washes the seed away.
pests      Low-flying carrot fly cannot cross a fleece barrier sixty centimetres high.
pests      Thin the rows on a still evening and bury the thinnings, since the smell draws the carrot fly.
diseases   Forked roots are caused by stones or fresh manure, so choose a bed that was fed last year.
diseases   Violet root rot covers the root in purple threads; burn the roots and rotate the bed.
harvest    Pull the first roots when their shoulders are as wide as a finger.
harvest    Late sowings stay sweet in the ground until Christmas under a cover of straw.
storing    Twist off the tops and lay the roots in boxes of damp sand, not touching.
storing    Slices freeze well after three minutes in boiling water.
pots       Round varieties grow well in a bucket with holes, filled with sandy compost.
pots       A tall pot is safe from carrot fly, which keeps close to the ground.

onion | onions | bulbs for the kitchen |
planting   Push sets into firm soil in March, with just the tip showing, a hand apart.
planting   Birds pull up new sets, so cover the row with net until the roots hold.
watering   Water in dry spells until July, and then stop so that the bulbs ripen.
watering   Wet necks invite rot, so never sprinkle from above late in summer.
pests      Onion fly maggots make young plants collapse; grow under fine mesh from May.
pests      Thrips leave silvery flecks on the leaves in hot summers, and a strong jet of water removes them.
diseases   White rot shows as fluffy mould on the base and stays in the soil for many years.
diseases   Grey, collapsing leaves in a wet summer are downy mildew; give the rows more air.
harvest    Lift when the tops fall over by themselves, on a sunny day.
harvest    Flower stems mean the plant has bolted: cut the stem off and eat that bulb first.
storing    Dry the bulbs for two weeks, plait the stems and hang them in a cool shed.
storing    Thick-necked bulbs will not keep, so use them within a month.

garlic | garlic | bulbs for the kitchen |
planting   Plant single cloves in October, pointed end up and twice their own depth.
planting   Cloves need a month of cold to divide; plants set in late spring stay a single round bulb.
watering   Water every ten days in April and May, and not at all once the leaves turn yellow.
watering   On heavy ground plant on a ridge, since standing water rots the cloves.
feeding    Scatter sulphate of potash in February, when growth starts again.
feeding    Pale spring leaves brighten within a week of a nitrogen-rich feed.
diseases   Orange pustules on the leaves are rust, which spoils the looks rather than the crop.
diseases   Mouldy cloves in the ground are a sign of white rot; do not plant there again for eight years.
harvest    Lift when the lower third of the leaves is brown, usually in early July.
harvest    Snap off the curling flower stems in June and fry them; the bulbs grow larger for it.
storing    Cure the bulbs in an airy place for three weeks, then plait them.
storing    Keep bulbs at room temperature, because the fridge makes them sprout.

lettuce | lettuce | salads and greens | salad leaves
planting   Sow a short row every fortnight from March to August, for leaves without a glut.
planting   Seed will not germinate above twenty-five degrees, so in July sow in the evening in shade.
watering   Water in the morning, so that the leaves are dry and crisp by night.
watering   Dry roots make the plant bolt and the leaves taste bitter.
pests      Slugs hide under the lowest leaves; go out with a torch, or lay beer traps.
pests      Root aphids make plants wilt suddenly; grow a resistant variety and water well.
diseases   Grey mould starts on leaves that touch wet soil, so plant high and keep the hoe moving.
diseases   Brown edges on the inner leaves are tipburn, caused by uneven water in hot weather.
harvest    Pick outer leaves from loose-leaf types and the plant will serve you for six weeks.
harvest    Cut hearting types at dawn, when they are full of water.
storing    Wash, spin and wrap the leaves in a damp cloth, and they stay crisp for a week.
storing    Limp leaves revive in iced water within ten minutes.
winter     Sow a hardy variety in September and cover it with a cloche for salads at Christmas.
winter     Leaves grown under glass in winter need air on every mild day.

kale | kale | salads and greens | leafy cabbage
planting   Sow in a seed bed in April and move the plants to their final place in July.
planting   Firm the soil with your boot, as loose plants rock in the wind and never stand well.
pests      Cabbage white caterpillars skeletonise the leaves, so net the plants from June.
pests      Pigeons peck the crown in hard weather; a net on canes is the one sure answer.
diseases   Swollen, twisted roots are clubroot; lime the soil and raise the plants in pots.
diseases   White blister looks like spots of paint under the leaves, and those leaves should be removed.
harvest    Pick young leaves from the top, after the first frost has made them sweet.
harvest    In spring, eat the flowering shoots like broccoli.
storing    Blanch the leaves for two minutes, squeeze them and freeze them in balls.
storing    Crisps of dried leaves keep for a fortnight in a tin.
winter     Stake tall plants in November and remove yellow leaves that shelter slugs.
winter     Hardy kinds need no cover down to minus fifteen degrees.

runner bean | runner beans | peas and beans | string beans
planting   Sow two seeds at the foot of each cane in the middle of May.
planting   Dig a trench in winter and fill it with kitchen scraps, to hold water under the row.
watering   Soak the row twice a week from the first flower, or the pods will not set.
watering   A mulch of grass clippings on wet soil saves a week of watering.
pests      Blackfly crowds the tips in June; pinch them out and leave the rest to ladybirds.
pests      Slugs cut young shoots at ground level, so protect each cane with a bottle ring.
pruning    Pinch out the tips at the top of the canes to fill the lower stems with flowers.
pruning    Tie in the first shoots by hand, after which they climb on their own.
harvest    Pick every two days, before the beans show through the pod.
harvest    Stringy pods were left too long; shell them and cook the beans fresh.
storing    Slice and freeze the pods on a tray, so that they do not clump.
storing    Dry the last pods on the vine and keep the seed in an envelope for next year.

pea | peas | peas and beans |
planting   Sow in a flat trench five centimetres deep from March, in three staggered rows.
planting   Start seed in a length of gutter under cover and slide it into the ground, safe from mice.
watering   Water once when the flowers open and once when the pods fill.
watering   Overwatering before the flowers gives leaf instead of pods.
pests      Mice dig up the seed; holly leaves in the trench or a trap nearby discourage them.
pests      Maggots in the pods are pea moth; sow very early or late to miss its flight.
diseases   Mildew coats late sowings in white; choose a resistant variety and water the roots.
diseases   Yellow plants with black roots suffer from foot rot, so move the row each year.
harvest    Pick from the bottom up when the pods are plump and still bright green.
harvest    Sugar turns to starch within hours, so gather them just before supper.
storing    Shell, blanch for one minute and freeze the same day.
storing    Dried on the plant, they keep two years in a jar for soup.
"""
